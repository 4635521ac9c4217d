import { timestamp, uuid } from '@berth/core';
import { SCRIPT_STATUSES, TIMING_STAGES } from '@berth/domain';
import { z } from 'zod';
import { route } from '../../kernel/route.ts';

const TimingStage = z.enum(TIMING_STAGES).meta({ id: 'TimingStage' });

export const ProvisionerTiming = z
  .object({
    job_id: uuid(),
    started_at: timestamp(),
    ended_at: timestamp(),
    stage: TimingStage,
    source: z.string(),
    action: z.string(),
    resource: z.string(),
  })
  .meta({ id: 'ProvisionerTiming', description: 'How long the driver took for one step.' });

export const AgentScriptTiming = z
  .object({
    started_at: timestamp(),
    ended_at: timestamp(),
    exit_code: z.int(),
    stage: TimingStage,
    status: z.enum(SCRIPT_STATUSES),
    display_name: z.string(),
    workspace_agent_id: uuid(),
    workspace_agent_name: z.string(),
  })
  .meta({ id: 'AgentScriptTiming', description: 'How long a script of an agent ran.' });

export const AgentConnectionTiming = z
  .object({
    started_at: timestamp().meta({ description: 'When the agent was made.' }),
    ended_at: timestamp().nullable().meta({ description: 'When it first connected; null until then.' }),
    stage: TimingStage,
    workspace_agent_id: uuid(),
    workspace_agent_name: z.string(),
  })
  .meta({ id: 'AgentConnectionTiming', description: 'How long an agent took to come.' });

export const WorkspaceBuildTimings = z
  .object({
    provisioner_timings: z.array(ProvisionerTiming),
    agent_script_timings: z.array(AgentScriptTiming),
    agent_connection_timings: z.array(AgentConnectionTiming),
  })
  .meta({ id: 'WorkspaceBuildTimings', description: 'Where the time of a build went.' });
export type WorkspaceBuildTimings = z.output<typeof WorkspaceBuildTimings>;

export const timingsRoutes = {
  timings: route({
    method: 'GET',
    path: '/workspacebuilds/{workspacebuild}/timings',
    tag: 'Builds',
    id: 'get-workspace-build-timings-by-id',
    summary: 'Get workspace build timings by ID',
    errors: ['not_found'],
  }),
};
