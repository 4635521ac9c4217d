export { Activity } from './activity.ts';
export type { UsedApp } from './activity.ts';
export { flushActivity } from './flush.ts';
