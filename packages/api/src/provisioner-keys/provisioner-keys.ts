import { conflict, invalid, invalidField, newId, notFound } from '@berth/core';
import { hashToken, randomToken, tokenMatches } from '@berth/core/secrets';
import type { ProvisionerKey as KeyRow } from '@berth/db';
import { Prisma, isUniqueViolation, sameText } from '@berth/db';
import { BUILTIN_PROVISIONER_KEY_NAME, RESERVED_PROVISIONER_KEY_NAMES, tagsProblem } from '@berth/domain';
import type { ObjectRef } from '@berth/rbac';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import type { ProvisionerCall } from '../provisioner-api/call.ts';
import { BUILTIN_KEY_ID, readDaemons } from '../provisioner-daemons/index.ts';
import { releaseJobs } from '../provisioner-jobs/release.ts';
import type {
  CreateProvisionerKeyInput,
  ListProvisionerKeysInput,
  OwnProvisionerKeyInput,
  ProvisionerKey,
  ProvisionerKeyDaemons,
  ProvisionerKeyInput,
} from './contract.ts';

const KEY_LENGTH = 43;
const MAX_KEYS = 1000;
/** Jobs are given back in batches of a hundred; a key's daemons never hold more than this. */
const MAX_RELEASES = 100;

const Tags = z.record(z.string(), z.string());

/** The keys of an organization, oldest first. */
export async function listProvisionerKeys(call: UserCall, input: ListProvisionerKeysInput): Promise<ProvisionerKey[]> {
  const organization = await permitted(call, input.organization);
  return (await keysOf(call, organization.id)).map(presentKey);
}

/** Each key with its daemons that are there now, the built-in one first where it serves this organization. */
export async function listKeyDaemons(call: UserCall, input: ListProvisionerKeysInput): Promise<ProvisionerKeyDaemons[]> {
  const organization = await permitted(call, input.organization);
  const [keys, daemons] = [
    await keysOf(call, organization.id),
    await readDaemons(call, { organizationId: organization.id, wanted: Prisma.sql`TRUE` }),
  ];
  const present = daemons.filter((daemon) => daemon.status !== 'offline');
  const all = [...(organization.isDefault ? [builtinKey(organization)] : []), ...keys.map(presentKey)];
  return all.map((key) => ({ key, daemons: present.filter((daemon) => daemon.key_id === key.id) }));
}

/** Makes a key. Only its hash is kept: this answer is the one place that shows it. @throws conflict for a name that is taken, in any case. */
export async function createProvisionerKey(call: UserCall, input: CreateProvisionerKeyInput): Promise<{ key: string }> {
  const { db, services } = call;
  const organization = await resolveOrganization(call, input.organization);
  const id = newId();
  call.audit.set({ resourceId: id, target: input.name, organizationId: organization.id });
  call.authorize.require(keysObject(organization.id));
  const tags = input.tags ?? {};
  const problem = tagsProblem(tags);
  if (problem !== null) throw invalidField('tags', problem);
  const key = randomToken(KEY_LENGTH);
  try {
    const row = await db.provisionerKey.create({
      data: { id, organizationId: organization.id, name: input.name, hashedSecret: hashToken(key), tags, createdAt: services.clock.now() },
    });
    call.audit.update({ after: trackedKey(row) });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('A provisioner key with this name exists.', [
      { field: 'name', detail: 'The organization has a key of this name already.' },
    ]);
  }
  return { key };
}

/**
 * Deletes a key. From then on its daemons are nobody: they get no job, end none, and what they worked on goes back into the queue.
 *
 * @throws invalid for the reserved names.
 */
export async function deleteProvisionerKey(call: UserCall, input: ProvisionerKeyInput): Promise<void> {
  const { db, services } = call;
  const organization = await resolveOrganization(call, input.organization);
  call.authorize.require(keysObject(organization.id));
  if (RESERVED_PROVISIONER_KEY_NAMES.includes(input.provisionerkey.toLowerCase())) throw invalid('This key is part of the server.');
  const row = await db.provisionerKey.findFirst({ where: { organizationId: organization.id, name: sameText(input.provisionerkey) } });
  if (row === null) throw notFound();
  call.audit.set({ resourceId: row.id, target: row.name, organizationId: organization.id, before: trackedKey(row) });
  await db.provisionerKey.delete({ where: { id: row.id }, select: { id: true } });
  // Another session: a daemon that waits for a job at this moment gets none.
  await db.provisionerDaemon.updateMany({ where: { keyId: row.id }, data: { sessionId: newId(), lastSeenAt: null } });
  const lost = {
    which: Prisma.sql`worker_id IN (SELECT id FROM provisioner_daemons WHERE key_id = ${row.id}::uuid)`,
    reason: `The key "${row.name}" of the provisioner was deleted.`,
  };
  for (let round = 0; round < MAX_RELEASES && (await releaseJobs(db, services, lost)) > 0; round++);
}

/** The record of the key that the caller came with. @throws notFound for any other. */
export async function getOwnProvisionerKey(call: ProvisionerCall, input: OwnProvisionerKeyInput): Promise<ProvisionerKey> {
  const { db, principal } = call;
  const asked = input.provisionerkey;
  if (principal.keyId === null) {
    const organization = await db.organization.findUniqueOrThrow({ where: { id: principal.organizationId } });
    if (asked !== BUILTIN_PROVISIONER_KEY_NAME && asked !== BUILTIN_KEY_ID) throw notFound();
    return builtinKey(organization);
  }
  const row = await db.provisionerKey.findUnique({ where: { id: principal.keyId } });
  if (row === null) throw notFound();
  const isIt = asked === row.id || asked.toLowerCase() === row.name.toLowerCase() || tokenMatches(asked, row.hashedSecret);
  if (!isIt) throw notFound();
  return presentKey(row);
}

async function permitted(call: UserCall, param: string) {
  const organization = await resolveOrganization(call, param);
  call.authorize.require(keysObject(organization.id));
  return organization;
}

function keysObject(organizationId: string): ObjectRef<'provisioner_keys'> {
  return { type: 'provisioner_keys', organizationId };
}

function keysOf(call: UserCall, organizationId: string): Promise<KeyRow[]> {
  return call.db.provisionerKey.findMany({ where: { organizationId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take: MAX_KEYS });
}

function presentKey(row: KeyRow): ProvisionerKey {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    organization: row.organizationId,
    name: row.name,
    tags: Tags.parse(row.tags),
  };
}

function builtinKey(organization: { readonly id: string; readonly createdAt: Date }): ProvisionerKey {
  return {
    id: BUILTIN_KEY_ID,
    created_at: organization.createdAt.toISOString(),
    organization: organization.id,
    name: BUILTIN_PROVISIONER_KEY_NAME,
    tags: {},
  };
}

function trackedKey(row: KeyRow): Record<string, unknown> {
  return { id: row.id, name: row.name, tags: row.tags, created_at: row.createdAt };
}
