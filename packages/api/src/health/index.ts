export type { Unreadiness } from './readiness.ts';
export { checkReadiness } from './readiness.ts';
