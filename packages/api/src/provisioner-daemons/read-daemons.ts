import { invalidField } from '@berth/core';
import { Prisma } from '@berth/db';
import type { Tx } from '@berth/db';
import { BUILTIN_PROVISIONER_KEY_NAME, USER_AUTH_PROVISIONER_KEY_NAME, normalizeTags, tagsProblem } from '@berth/domain';
import { provisionerDaemonObject } from '@berth/rbac';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { instantSql, isoSql } from '../kernel/wire-sql.ts';
import { resolveOrganization } from '../organizations/index.ts';
import { DAEMON_STALE_MS } from '../provisioner-jobs/lease.ts';
import { jobStatusSql } from '../provisioner-jobs/status-sql.ts';
import { tagsMatchSql } from '../provisioner-jobs/tags-sql.ts';
import type { ListProvisionerDaemonsInput } from './contract.ts';
import { ProvisionerDaemon } from './contract.ts';
import { USER_AUTH_KEY_ID } from './serve.ts';

/** Stands for the secret that the server and the daemon that it starts itself share; in no table. */
export const BUILTIN_KEY_ID = '00000000-0000-0000-0000-000000000001';

const MAX_DAEMONS = 1000;

/** The daemons of an organization that the filters let through, those seen last first. @throws invalid for tags that are no tags. */
export async function listProvisionerDaemons(call: UserCall, input: ListProvisionerDaemonsInput): Promise<ProvisionerDaemon[]> {
  const organization = await resolveOrganization(call, input.organization);
  call.authorize.require(provisionerDaemonObject({ organizationId: organization.id }));
  const wanted = input.tags === undefined ? Prisma.sql`TRUE` : couldTake(input.tags);
  const daemons = await readDaemons(call, { organizationId: organization.id, wanted });
  const { status } = input;
  return status === undefined ? daemons : daemons.filter((daemon) => daemon.status === status);
}

const Tags = z.record(z.string().max(128), z.string().max(256));

function couldTake(text: string): Prisma.Sql {
  const tags = Tags.safeParse(parseJson(text));
  if (!tags.success) throw invalidField('tags', 'Must be a JSON object whose values are strings.');
  const problem = tagsProblem(tags.data);
  if (problem !== null) throw invalidField('tags', problem);
  const normal = normalizeTags(tags.data, tags.data['owner'] ?? '');
  return tagsMatchSql(Prisma.sql`${JSON.stringify(normal)}::jsonb`, Prisma.sql`d.tags`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The daemons `d` of an organization, or of all, that `wanted` selects, with what each does and did last, in one statement. */
export async function readDaemons(
  { db, services }: { readonly db: Tx; readonly services: Services },
  { organizationId, wanted }: { organizationId: string | null; wanted: Prisma.Sql },
): Promise<ProvisionerDaemon[]> {
  const heardSince = instantSql(new Date(services.clock.now().getTime() - DAEMON_STALE_MS));
  const job = (which: Prisma.Sql): Prisma.Sql => Prisma.sql`(
    SELECT jsonb_build_object('id', j.id, 'type', j.kind, 'status', ${jobStatusSql('j')})
    FROM provisioner_jobs j WHERE j.worker_id = d.id AND ${which})`;
  const rows = await db.$queryRaw<{ daemon: unknown }[]>(Prisma.sql`
    SELECT jsonb_build_object(
      'id', d.id,
      'organization_id', d.organization_id,
      'key_id', coalesce(d.key_id, ${BUILTIN_KEY_ID}::uuid),
      'key_name', CASE WHEN d.key_id IS NULL THEN ${BUILTIN_PROVISIONER_KEY_NAME}::text 
        WHEN d.key_id = ${USER_AUTH_KEY_ID}::uuid THEN ${USER_AUTH_PROVISIONER_KEY_NAME}::text ELSE coalesce(k.name, '') END,
      'created_at', ${isoSql(Prisma.sql`d.created_at`)},
      'last_seen_at', ${isoSql(Prisma.sql`d.last_seen_at`)},
      'name', d.name,
      'version', d.version,
      'api_version', d.api_version,
      'provisioners', to_jsonb(d.provisioners),
      'tags', d.tags,
      'status', CASE
        WHEN d.last_seen_at IS NULL OR d.last_seen_at < ${heardSince} THEN 'offline'
        WHEN d.draining_at IS NOT NULL THEN 'draining'
        WHEN EXISTS (SELECT 1 FROM provisioner_jobs b WHERE b.worker_id = d.id AND b.completed_at IS NULL) THEN 'busy'
        ELSE 'idle' END,
      'current_job', ${job(Prisma.sql`j.completed_at IS NULL ORDER BY j.started_at DESC LIMIT 1`)},
      'previous_job', ${job(Prisma.sql`j.completed_at IS NOT NULL ORDER BY j.completed_at DESC LIMIT 1`)}
    ) AS daemon
    FROM provisioner_daemons d LEFT JOIN provisioner_keys k ON k.id = d.key_id
    WHERE ${organizationId === null ? Prisma.sql`TRUE` : Prisma.sql`d.organization_id = ${organizationId}::uuid`} AND ${wanted}
    ORDER BY d.last_seen_at DESC NULLS LAST, d.name LIMIT ${MAX_DAEMONS}`);
  return rows.map((row) => ProvisionerDaemon.parse(row.daemon));
}
