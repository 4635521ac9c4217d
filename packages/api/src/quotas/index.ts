export { judgeCost, requireQuota } from './check.ts';
