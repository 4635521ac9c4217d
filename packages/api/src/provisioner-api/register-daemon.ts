import { conflict, newId } from '@berth/core';
import { Prisma } from '@berth/db';
import { normalizeTags } from '@berth/domain';
import type { RegisterDaemonInput } from '@berth/protocol';
import { requireWithin } from '../provisioner-daemons/serve.ts';
import { DAEMON_STALE_MS } from '../provisioner-jobs/lease.ts';
import { releaseJobs } from '../provisioner-jobs/release.ts';
import type { ProvisionerCall } from './call.ts';

interface Known {
  id: string;
  keyId: string | null;
  tagOwner: string;
  sessionId: string;
  lastSeenAt: Date | null;
}

/**
 * Makes a daemon known under its name, or takes that name over with a new session: jobs of the former session are given back at once.
 * A daemon that comes with a key has the key's tags, whatever it says.
 *
 * @throws conflict when the name is in use by a living daemon with another key or for another person; invalid when the daemon dialled
 *   as something else.
 */
export async function registerDaemon(call: ProvisionerCall, input: RegisterDaemonInput): Promise<{ daemon_id: string }> {
  const { db, services, principal } = call;
  const { organizationId, keyId } = principal;
  requireWithin(principal, input);
  const offered = keyId === null ? input.tags : principal.tags;
  const tags = normalizeTags(offered, keyId === null ? '' : (offered['owner'] ?? ''));
  const now = services.clock.now();
  const [known] = await db.$queryRaw<Known[]>(Prisma.sql`
    SELECT id, key_id AS "keyId", coalesce(tags ->> 'owner', '') AS "tagOwner", session_id AS "sessionId", last_seen_at AS "lastSeenAt" FROM provisioner_daemons
    WHERE organization_id = ${organizationId}::uuid AND name = ${input.name} FOR UPDATE`);
  const isAnother = known !== undefined && (known.keyId !== keyId || known.tagOwner !== (tags['owner'] ?? ''));
  if (isAnother && !isStale(known.lastSeenAt, now)) {
    throw conflict(`The name "${input.name}" is in use by a daemon with another key or for another person.`);
  }

  const data = {
    keyId,
    sessionId: input.session_id,
    version: input.version,
    apiVersion: '1.0',
    provisioners: [...input.provisioners],
    tags: { ...tags },
    sandbox: input.sandbox,
    slots: input.slots ?? 1,
    lastSeenAt: now,
    drainingAt: null,
  };
  const { id } = await db.provisionerDaemon.upsert({
    where: { organizationId_name: { organizationId, name: input.name } },
    create: { id: newId(), organizationId, name: input.name, createdAt: now, ...data },
    update: data,
    select: { id: true },
  });
  if (known !== undefined && known.sessionId !== input.session_id) {
    await releaseJobs(db, services, {
      which: Prisma.sql`worker_id = ${id}::uuid`,
      reason: `The provisioner "${input.name}" restarted and gave up this job.`,
    });
  }
  return { daemon_id: id };
}

function isStale(lastSeenAt: Date | null, now: Date): boolean {
  return lastSeenAt === null || now.getTime() - lastSeenAt.getTime() > DAEMON_STALE_MS;
}
