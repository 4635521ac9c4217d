import { timestamp, uuid } from '@berth/core';
import { JOB_STATUSES, JOB_TYPES, PROVISIONER_TYPES, TRANSITIONS, WHY_KINDS } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { organizationParam } from '../organizations/contract.ts';

export const DAEMON_STATUSES = ['offline', 'idle', 'busy', 'draining'] as const;

export const ProvisionerDaemonJob = z
  .object({ id: uuid(), type: z.enum(JOB_TYPES), status: z.enum(JOB_STATUSES) })
  .meta({ id: 'ProvisionerDaemonJob', description: 'A job that a daemon works on, or did last.' });

export const ProvisionerDaemon = z
  .object({
    id: uuid(),
    organization_id: uuid(),
    key_id: uuid().meta({ description: 'Of the built-in daemon: 00000000-0000-0000-0000-000000000001.' }),
    key_name: z.string(),
    created_at: timestamp(),
    last_seen_at: timestamp().nullable().meta({ description: 'Null when it left, or its key was deleted.' }),
    name: z.string(),
    version: z.string(),
    api_version: z.string(),
    provisioners: z.array(z.string()),
    tags: z.record(z.string(), z.string()),
    status: z
      .enum(DAEMON_STATUSES)
      .meta({ description: 'Offline: not heard from in the last three minutes. Draining: about to leave, it takes no more jobs.' }),
    current_job: ProvisionerDaemonJob.nullable(),
    previous_job: ProvisionerDaemonJob.nullable(),
  })
  .meta({ id: 'ProvisionerDaemon', description: 'A process that imports templates and builds workspaces.' });
export type ProvisionerDaemon = z.output<typeof ProvisionerDaemon>;
export const ProvisionerDaemonList = z.array(ProvisionerDaemon);

export const ListProvisionerDaemonsInput = z.object({
  organization: organizationParam(),
  tags: z.string().max(8192).optional().meta({
    description: 'A JSON object of tags: only daemons that could take a job with these.',
  }),
  status: z.enum(DAEMON_STATUSES).optional().meta({ description: 'Only daemons in this state.' }),
});
export type ListProvisionerDaemonsInput = z.output<typeof ListProvisionerDaemonsInput>;

export const QueuedJob = z
  .object({
    id: uuid(),
    type: z.enum(JOB_TYPES),
    organization_id: uuid(),
    created_at: timestamp(),
    initiator: z.string().meta({ description: 'The user name of whoever asked for it.' }),
    provisioner: z.enum(PROVISIONER_TYPES).meta({ description: 'The driver that it needs.' }),
    tags: z.record(z.string(), z.string()),
    queue_position: z.int().meta({ description: 'Among the jobs that the same daemons could take: 1 is next.' }),
    queue_size: z.int(),
    why: z.enum(WHY_KINDS),
    sentence: z.string().meta({ description: 'Why it waits, for people.' }),
    build: z
      .object({
        id: uuid(),
        number: z.int(),
        transition: z.enum(TRANSITIONS),
        workspace_name: z.string(),
        owner_name: z.string(),
        may_cancel: z.boolean(),
      })
      .nullable()
      .meta({ description: 'Null for other jobs, and for a workspace that the caller may not read.' }),
    version: z
      .object({ id: uuid(), name: z.string(), template_name: z.string(), may_cancel: z.boolean() })
      .nullable()
      .meta({ description: 'What an import or a dry run is of. Null for builds, and where the caller may not read templates.' }),
  })
  .meta({ id: 'QueuedProvisionerJob', description: 'A job that no daemon has taken yet.' });
export type QueuedJob = z.output<typeof QueuedJob>;

export const QueueInput = z.object({ organization: organizationParam() });

export const routes = {
  list: route({
    method: 'GET',
    path: '/organizations/{organization}/provisionerdaemons',
    tag: 'Enterprise',
    id: 'get-provisioner-daemons',
    summary: 'Get provisioner daemons',
    description: 'The thousand that were seen last.',
    errors: ['not_found'],
  }),
};
