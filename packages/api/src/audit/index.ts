export { startAuditSealer } from './sealer-loop.ts';
export type { Sealing } from './sealer.ts';
export { sealAuditRows, tidyAuditQueue } from './sealer.ts';
export type { AuditProblem, AuditVerdict, VerifyOptions } from './verify.ts';
export { verifyAuditChain } from './verify.ts';
