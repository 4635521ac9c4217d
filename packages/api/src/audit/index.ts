export { startAuditSealer } from './sealer-loop.ts';
export { sealAuditRows, tidyAuditQueue } from './sealer.ts';
export { verifyAuditChain } from './verify.ts';
