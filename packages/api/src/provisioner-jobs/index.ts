export { requestCancel } from './cancel.ts';
export type { JobInput, NewJob } from './enqueue.ts';
export { enqueueJob } from './enqueue.ts';
export type { LogRange, NewLogLine } from './logs.ts';
export { appendJobLogs, followJobLogs, listJobLogs } from './logs.ts';
export { publishJobChange } from './news.ts';
export { presentJob } from './present.ts';
export { jobSql, jobStatusSql, waitingSql } from './status-sql.ts';
