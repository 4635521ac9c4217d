import { queryBool, queryInt, timestamp, uuid } from '@berth/core';
import { JOB_ERROR_CODES, JOB_STATUSES, LOG_LEVELS, LOG_SOURCES } from '@berth/domain';
import { z } from 'zod';

/** Shapes of queued work, shared by template versions (imports) and workspace builds. No routes of its own. */

export const ProvisionerJobStatus = z.enum(JOB_STATUSES).meta({ id: 'ProvisionerJobStatus' });
export const JobErrorCode = z.enum(JOB_ERROR_CODES).meta({ id: 'JobErrorCode' });
export const LogLevel = z.enum(LOG_LEVELS).meta({ id: 'LogLevel' });
export const LogSource = z.enum(LOG_SOURCES).meta({ id: 'LogSource' });

export const ProvisionerJob = z
  .object({
    id: uuid(),
    created_at: timestamp(),
    started_at: timestamp().nullable(),
    completed_at: timestamp().nullable(),
    canceled_at: timestamp().nullable(),
    error: z.string(),
    error_code: JobErrorCode,
    status: ProvisionerJobStatus,
    worker_id: uuid().nullable().meta({ description: 'The daemon that has or had the job; null while it waits.' }),
    file_id: uuid(),
    tags: z.record(z.string(), z.string()),
    queue_position: z.int().meta({
      description:
        'Rank among the waiting jobs that the provisioners which could take this one could take: 1 is next, 0 once it left the queue.',
    }),
    queue_size: z.int().meta({ description: 'How many those jobs are; 0 once this one left the queue.' }),
  })
  .meta({
    id: 'ProvisionerJob',
    description: 'A piece of work that a provisioner does: an import of a template version, or a build.',
  });
export type ProvisionerJob = z.output<typeof ProvisionerJob>;

export const ProvisionerJobLog = z
  .object({
    id: z.int().meta({ description: 'Increases from line to line; resume with `after`.' }),
    created_at: timestamp(),
    log_source: LogSource,
    log_level: LogLevel,
    stage: z.string(),
    output: z.string(),
  })
  .meta({ id: 'ProvisionerJobLog', description: 'One log line of a provisioner job.' });
export type ProvisionerJobLog = z.output<typeof ProvisionerJobLog>;

/** Lines of one answer at most; ask again with `after` for the rest, or follow. */
export const JOB_LOG_PAGE = 10_000;

const logId = () => queryInt(0, Number.MAX_SAFE_INTEGER);

/** The query of every "logs of a job" operation. */
export const JobLogsQuery = {
  before: logId().optional().meta({ description: 'Lines with a smaller id only.' }),
  after: logId().optional().meta({ description: 'Lines with a larger id only.' }),
  follow: queryBool().optional().meta({
    description: 'On a WebSocket: the lines so far, then each new one until the job ends.',
  }),
};
