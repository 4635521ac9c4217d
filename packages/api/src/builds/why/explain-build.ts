import { notFound } from '@berth/core';
import type { ChangedSinceGreen, FailureFacts, WaitingFacts } from '@berth/domain';
import { failureStage, why } from '@berth/domain';
import type { WorkspaceFacts } from '@berth/rbac';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import { fittingDaemons } from '../../provisioner-jobs/fitting-sql.ts';
import { DAEMON_STALE_MS } from '../../provisioner-jobs/lease.ts';
import type { BuildPath } from '../contract.ts';
import type { ReadCall } from '../read-builds.ts';
import type { BuildWhy } from './contract.ts';
import { RawWhy, whyFactsSql } from './why-sql.ts';

interface Row extends WorkspaceFacts {
  readonly facts: unknown;
}

/** Why a build that the caller may read waits or failed, and what helps; one statement. */
export async function explainBuild(call: ReadCall, { workspacebuild }: z.output<typeof BuildPath>): Promise<BuildWhy> {
  const heardSince = new Date(call.services.clock.now().getTime() - DAEMON_STALE_MS);
  const [row] = await call.db.$queryRaw<Row[]>(whyFactsSql(workspacebuild, heardSince));
  if (row === undefined) throw notFound();
  call.authorize.require(workspaceObject(row));
  return presentWhy(RawWhy.parse(row.facts));
}

function presentWhy(raw: RawWhy): BuildWhy {
  const waiting = waitingFacts(raw);
  const failure = failureFacts(raw);
  const { kind, sentence, action, estimateSeconds } = why({ subject: 'build', status: raw.job_status, waiting, failure });
  const { build_id, job_id, job_status } = raw;
  const waits = job_status === 'pending';
  return {
    build_id,
    job_id,
    job_status,
    kind,
    sentence,
    action,
    waiting: waits ? presentWaiting(raw, waiting, estimateSeconds) : null,
    failed: kind === 'failed' ? presentFailed(raw, failure) : null,
  };
}

function waitingFacts({ provisioner, tags, daemons, queue, typical_seconds }: RawWhy): WaitingFacts {
  return {
    provisioner,
    tags,
    daemons: daemons === null ? { free: 0, busy: 0, draining: 0, offline: 0, slots: 0, freeSlots: 0 } : fittingDaemons(daemons),
    position: queue.queue_position,
    typicalSeconds: typical_seconds,
  };
}

function failureFacts(raw: RawWhy): FailureFacts {
  return {
    error: raw.error,
    errorCode: raw.error_code,
    firstError: raw.first_error,
    lastStage: raw.last_stage ?? '',
    isLost: raw.is_lost ?? false,
    changed: changedFacts(raw),
    hasNewerVersion: raw.has_newer_version,
  };
}

function changedFacts({ green, version, state_replaced }: RawWhy): ChangedSinceGreen | null {
  if (green === null) return null;
  return {
    sinceBuildNumber: green.build_number,
    version: green.version_id === version.id ? null : { from: green.version_name, to: version.name },
    parameters: green.parameters,
    state: state_replaced,
  };
}

function presentWaiting({ queue }: RawWhy, { provisioner, tags, daemons }: WaitingFacts, estimate: number | null): BuildWhy['waiting'] {
  return {
    provisioner,
    tags: { ...tags },
    daemons_free: daemons.free,
    daemons_busy: daemons.busy,
    daemons_draining: daemons.draining,
    daemons_offline: daemons.offline,
    ...queue,
    estimate_seconds: estimate,
  };
}

function presentFailed(raw: RawWhy, failure: FailureFacts): BuildWhy['failed'] {
  const { green, version } = raw;
  const { changed } = failure;
  return {
    error: raw.error,
    error_code: raw.error_code,
    stage: failureStage(failure),
    first_error: raw.first_error,
    changed:
      changed === null || green === null
        ? null
        : {
            since_build_number: changed.sinceBuildNumber,
            version:
              changed.version === null
                ? null
                : { from_id: green.version_id, from_name: green.version_name, to_id: version.id, to_name: version.name },
            parameters: [...changed.parameters],
            state_replaced: changed.state,
          },
  };
}
