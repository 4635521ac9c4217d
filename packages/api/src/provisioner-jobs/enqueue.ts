import { newId } from '@berth/core';
import type { Tx } from '@berth/db';
import type { JobType, ProvisionerType } from '@berth/domain';
import { normalizeTags } from '@berth/domain';
import { jobsChannel } from '../kernel/channels.ts';
import type { RequestFacts, Services } from '../kernel/context.ts';
import type { VariableValue } from './sealed-input.ts';
import { sealVariableValues } from './sealed-input.ts';

/** Longer ones are cut off; the audit log keeps no more. */
const USER_AGENT_LENGTH = 512;

export interface NewJob {
  readonly kind: JobType;
  readonly organizationId: string;
  readonly initiatorId: string;
  readonly provisioner: ProvisionerType;
  readonly fileId: string;
  /** Of a dry run: the version that it tries. */
  readonly dryRunOfId?: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Whose daemons take a job with the scope `user`; the initiator's unless given. */
  readonly tagOwnerId?: string;
  /** What the job needs beyond its rows: see `JobInput`. */
  readonly input: JobInput;
  /** Of an import and a dry run: variables that were given values. They may be secrets: stored sealed until the job ends. */
  readonly variableValues?: readonly VariableValue[];
  /** The request that asked for it; written into the audit row when a build ends. */
  readonly request: RequestFacts;
}

/** `log_level` of a build, and whether its state came with the request; `workspace_name` and `rich_parameter_values` of a dry run. */
export interface JobInput {
  readonly log_level?: '' | 'debug';
  readonly state_replaced?: boolean;
  readonly workspace_name?: string;
  readonly rich_parameter_values?: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Queues a job and returns its id. Its tags are normalised. Daemons that wait for work hear of it when the
 * transaction of `db` commits. The row that the job is about (the version, the build) must be made in the same transaction.
 */
export async function enqueueJob(db: Tx, services: Services, job: NewJob): Promise<string> {
  const id = newId();
  const now = services.clock.now();
  await db.provisionerJob.create({
    data: {
      id,
      organizationId: job.organizationId,
      initiatorId: job.initiatorId,
      kind: job.kind,
      provisioner: job.provisioner,
      fileId: job.fileId,
      dryRunOfId: job.dryRunOfId ?? null,
      tags: { ...normalizeTags(job.tags, job.tagOwnerId ?? job.initiatorId) },
      input: { ...job.input },
      sealedInput: sealVariableValues(services, id, job.variableValues ?? []),
      createdAt: now,
      updatedAt: now,
      requestId: job.request.requestId,
      requestIp: job.request.ip,
      requestAgent: job.request.userAgent.slice(0, USER_AGENT_LENGTH),
    },
    select: { id: true },
  });
  await services.bus.publish(db, jobsChannel, { organization_id: job.organizationId });
  return id;
}
