export type { ScheduledWorkspace } from './facts.ts';
export { scheduleFacts, scheduleFactsOfTemplate } from './facts.ts';
export { recomputeDeadlines } from './recompute-deadlines.ts';
