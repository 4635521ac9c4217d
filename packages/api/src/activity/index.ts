export { Activity } from './activity.ts';
export type { Use, UsedApp } from './activity.ts';
export { flushActivity } from './flush.ts';
