export { ownRequest } from './automatic-build.ts';
export type { ScheduledWorkspace } from './facts.ts';
export { readScheduleFacts, scheduleFacts, scheduleFactsOfTemplate } from './facts.ts';
export { runSchedules } from './run-schedules.ts';
export { recomputeDeadlines } from './recompute-deadlines.ts';
