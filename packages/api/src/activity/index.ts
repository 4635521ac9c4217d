export { Activity } from './activity.ts';
export type { UsedApp } from './activity.ts';
export { activeUsersSql } from './active-users.ts';
export { flushActivity } from './flush.ts';
