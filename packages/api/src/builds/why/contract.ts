import { uuid } from '@berth/core';
import { JOB_STATUSES, PROVISIONER_TYPES, WHY_ACTIONS, WHY_KINDS } from '@berth/domain';
import { z } from 'zod';
import { route } from '../../kernel/route.ts';

const WhyWaiting = z
  .object({
    provisioner: z.enum(PROVISIONER_TYPES).meta({ description: 'The driver that the job needs.' }),
    tags: z.record(z.string(), z.string()).meta({ description: 'The tags that a provisioner must have.' }),
    daemons_free: z.int(),
    daemons_busy: z.int(),
    daemons_draining: z.int().meta({ description: 'About to leave: they finish what they have and take no more.' }),
    daemons_offline: z.int().meta({ description: 'Not heard from in the last three minutes.' }),
    queue_position: z.int().meta({ description: 'Among the jobs that the same daemons could take: 1 is next.' }),
    queue_size: z.int(),
    estimate_seconds: z.int().nullable().meta({ description: 'Until it starts; null while that cannot be known.' }),
  })
  .meta({ id: 'WhyWaiting', description: 'What a waiting job waits for. Only daemons that could take it are counted.' });

const WhyFailed = z
  .object({
    error: z.string().meta({ description: 'As it ended the job.' }),
    error_code: z.string(),
    stage: z.string().meta({ description: 'Where it failed, as the log names it; empty when no line says so.' }),
    first_error: z
      .object({ log_id: z.int(), stage: z.string(), output: z.string() })
      .nullable()
      .meta({ description: 'The first line that was logged as an error.' }),
    changed: z
      .object({
        since_build_number: z.int().meta({ description: 'The last build that succeeded.' }),
        version: z
          .object({ from_id: uuid(), from_name: z.string(), to_id: uuid(), to_name: z.string() })
          .nullable()
          .meta({ description: 'Null when both were made from the same version.' }),
        parameters: z.array(z.string()).meta({ description: 'The names of those whose value is another one now.' }),
        state_replaced: z.boolean().meta({ description: 'The request gave a state of its own.' }),
      })
      .nullable()
      .meta({ description: 'What is different from the last build that succeeded; null when none did.' }),
  })
  .meta({ id: 'WhyFailed', description: 'What went wrong.' });

export const BuildWhy = z
  .object({
    build_id: uuid(),
    job_id: uuid(),
    job_status: z.enum(JOB_STATUSES),
    kind: z.enum(WHY_KINDS),
    sentence: z.string().meta({ description: 'For people: what to print, in plain words.' }),
    action: z.enum(WHY_ACTIONS).meta({ description: 'The one thing to do that helps most.' }),
    waiting: WhyWaiting.nullable().meta({ description: 'Of a job that waits.' }),
    failed: WhyFailed.nullable().meta({ description: 'Of a job that failed.' }),
  })
  .meta({ id: 'WorkspaceBuildWhy', description: 'Why a build waits, or why it failed, and what helps.' });
export type BuildWhy = z.output<typeof BuildWhy>;

export const whyRoutes = {
  why: route({
    method: 'GET',
    path: '/workspacebuilds/{workspacebuild}/why',
    tag: 'Builds',
    id: 'explain-workspace-build',
    summary: 'Say why a workspace build waits or failed',
    errors: ['not_found'],
  }),
};
