export type { ScheduledWorkspace } from './facts.ts';
export { scheduleFacts, scheduleFactsOfTemplate } from './facts.ts';
