export { requestCancel } from './cancel.ts';
export { enqueueJob } from './enqueue.ts';
export { followJobLogs, listJobLogs } from './logs.ts';
export { jobSql, jobStatusSql } from './status-sql.ts';
