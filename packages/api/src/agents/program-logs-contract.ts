import { timestamp, uuid } from '@berth/core';
import { LOG_LEVELS } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

/** Lines in one request. */
const LINES_MAX = 5_000;
/** Characters of one line. */
const OUTPUT_MAX = 64 * 1024;

export const CreateLogSource = z
  .object({
    id: uuid().meta({ description: 'Chosen by the caller, known within the agent; the same id again answers the source that is there.' }),
    display_name: z.string().min(1).max(127),
    icon: z.string().max(1024).default(''),
  })
  .meta({ id: 'PostLogSourceRequest' });

export const AppendAgentLogs = z
  .object({
    log_source_id: uuid().optional().meta({ description: 'Absent or the zero UUID: the source that is called External.' }),
    logs: z
      .array(
        z
          .object({
            created_at: timestamp().optional().meta({ description: 'Now when absent.' }),
            level: z.enum(LOG_LEVELS).default('info'),
            output: z.string().max(OUTPUT_MAX),
          })
          .meta({ id: 'AgentLog' }),
      )
      .min(1)
      .max(LINES_MAX),
  })
  .meta({ id: 'PatchLogs' });

export const routes = {
  createLogSource: route({
    method: 'POST',
    path: '/workspaceagents/me/log-source',
    tag: 'Agents',
    id: 'post-workspace-agent-log-source',
    summary: 'Name a source of log lines',
    description: 'For programs in a workspace that write to its log, such as builders of images. Takes the token of the agent.',
  }),
  appendLogs: route({
    method: 'PATCH',
    path: '/workspaceagents/me/logs',
    tag: 'Agents',
    id: 'patch-workspace-agent-logs',
    summary: 'Append lines to the log of the agent',
    description:
      'All of them or none: 413 when they would take the log of the agent past 1 MiB, after which it takes no more. Takes the token of the agent.',
    errors: ['too_large'],
  }),
};
