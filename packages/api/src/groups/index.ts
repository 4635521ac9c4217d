export { auditedGroup } from './audit.ts';
