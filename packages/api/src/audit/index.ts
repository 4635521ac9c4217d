export { exportAuditLogs } from './export-audit-logs.ts';
export { startAuditSealer } from './sealer-loop.ts';
export { sealAuditRows, tidyAuditQueue } from './sealer.ts';
export { noteVerification, verifyAuditChain } from './verify.ts';
