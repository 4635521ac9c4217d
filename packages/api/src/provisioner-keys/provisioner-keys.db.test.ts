import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAEMON_STALE_MS } from '../provisioner-jobs/lease.ts';
import { createTestApi } from '../testing/index.ts';

const { prisma, clock, services, callAs, callAsUser } = await createTestApi();
const make = given(prisma);

let organizationId: string;
let adminId: string;
let memberId: string;

beforeEach(async () => {
  organizationId = (await make.organization()).id;
  adminId = (await make.user({ memberOf: [{ organizationId, roles: ['organization-admin'] }] })).id;
  memberId = (await make.user({ memberOf: [organizationId] })).id;
});

const admin = () => callAsUser(adminId);
const place = () => ({ organization: organizationId });
const create = (name: string, tags?: Record<string, string>) =>
  admin().provisionerKeys.create({ ...place(), name, ...(tags === undefined ? {} : { tags }) });

/** A daemon that came with a key, as a door makes it of the header. */
async function daemonWith(key: string, name = 'builder') {
  const principal = await services.authenticator.byProvisionerKey(key);
  if (principal === null) throw new Error('the key is not known');
  const daemon = callAs(principal);
  const session = { session_id: newId() };
  const { daemon_id } = await daemon.provisionerApi.registerDaemon({
    ...session,
    name,
    version: 'v1',
    provisioners: ['process'],
    tags: { said: 'by the daemon' },
    sandbox: { kind: 'none', detail: '' },
  });
  return { daemon, daemon_id, acquire: () => daemon.provisionerApi.acquireJob({ daemon_id, ...session, wait_ms: 0 }) };
}

describe('a key', () => {
  test('is shown once, lets daemons of its organization in with its tags, and never appears again', async () => {
    const { key } = await create('gpu', { gpu: 'yes' });
    expect(key).toMatch(/^[a-zA-Z0-9]{43}$/);
    expect(await services.authenticator.byProvisionerKey(key)).toMatchObject({ organizationId, tags: { gpu: 'yes' } });
    const listed = await admin().provisionerKeys.list(place());
    expect(listed).toMatchObject([{ name: 'gpu', organization: organizationId, tags: { gpu: 'yes' } }]);
    expect(JSON.stringify(listed)).not.toContain(key);
    expect(JSON.stringify(await prisma.auditLog.findMany({ where: { organizationId } }))).not.toContain(key);
  });

  test('has a name of its own in the organization, whatever the case, and none that the server keeps for itself', async () => {
    await create('Mine');
    await expect(create('mine')).rejects.toMatchObject({ code: 'CONFLICT' });
    for (const name of ['built-in', 'PSK', '']) await expect(create(name)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const remove = admin().provisionerKeys.delete({ ...place(), provisionerkey: 'built-in' });
    await expect(remove).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('is recorded when it is made and when it is deleted', async () => {
    await create('gpu', { gpu: 'yes' });
    await admin().provisionerKeys.delete({ ...place(), provisionerkey: 'GPU' });
    expect(await prisma.auditLog.findMany({ where: { organizationId }, orderBy: { time: 'asc' } })).toMatchObject([
      { resourceType: 'provisioner_key', action: 'create', resourceTarget: 'gpu', diff: { tags: { new: { gpu: 'yes' } } } },
      { resourceType: 'provisioner_key', action: 'delete', resourceTarget: 'gpu', diff: { name: { old: 'gpu' } } },
    ]);
  });

  test('is not even visible to those who may not read keys, and another organization has its own', async () => {
    const { key } = await create('gpu');
    const member = callAsUser(memberId).provisionerKeys;
    await expect(member.list(place())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(member.delete({ ...place(), provisionerkey: 'gpu' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const elsewhere = (await make.organization()).id;
    const foreign = (await make.user({ memberOf: [{ organizationId: elsewhere, roles: ['organization-admin'] }] })).id;
    await expect(callAsUser(foreign).provisionerKeys.delete({ organization: elsewhere, provisionerkey: 'gpu' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await services.authenticator.byProvisionerKey(key)).not.toBeNull();
  });

  test('tells whoever came with it about itself, and about no other', async () => {
    const { daemon } = await daemonWith((await create('first')).key);
    const second = await create('second');
    const own = await daemon.provisionerKeys.getOwn({ provisionerkey: 'first' });
    expect(own).toMatchObject({ name: 'first', organization: organizationId });
    expect(await daemon.provisionerKeys.getOwn({ provisionerkey: own.id })).toEqual(own);
    for (const provisionerkey of ['second', second.key, 'built-in']) {
      await expect(daemon.provisionerKeys.getOwn({ provisionerkey })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('the end of a key', () => {
  test('ends its daemons at once: they are nobody, get no job, and their work is queued again', async () => {
    const { key } = await create('gpu', { gpu: 'yes' });
    const job = await make.job({
      organizationId,
      initiatorId: adminId,
      status: 'pending',
      tags: { gpu: 'yes', scope: 'organization', owner: '' },
    });
    const { acquire, daemon_id } = await daemonWith(key);
    await prisma.provisionerJob.update({
      where: { id: job.id },
      data: { startedAt: clock.now(), workerId: daemon_id, leaseToken: newId(), leaseExpiresAt: clock.now(), attempt: 1 },
    });
    await admin().provisionerKeys.delete({ ...place(), provisionerkey: 'gpu' });
    expect(await services.authenticator.byProvisionerKey(key)).toBeNull();
    await expect(acquire()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await prisma.provisionerJob.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({
      startedAt: null,
      workerId: null,
      leaseToken: null,
      completedAt: null,
    });
    expect(await admin().provisionerDaemons.list(place())).toMatchObject([{ name: 'builder', status: 'offline', key_name: '' }]);
  });
});

describe('daemons', () => {
  test('are listed with their key, their tags and what they do, and by each key while they are there', async () => {
    const { daemon_id } = await daemonWith((await create('gpu', { gpu: 'yes' })).key);
    const [daemon] = await callAsUser(memberId).provisionerDaemons.list(place());
    expect(daemon).toMatchObject({
      id: daemon_id,
      key_name: 'gpu',
      name: 'builder',
      tags: { gpu: 'yes', scope: 'organization', owner: '' },
      status: 'idle',
      current_job: null,
      previous_job: null,
    });
    const [entry] = await admin().provisionerKeys.listDaemons(place());
    expect(entry).toMatchObject({ key: { name: 'gpu', id: daemon?.key_id }, daemons: [{ id: daemon_id }] });

    const past = await make.job({ organizationId, initiatorId: adminId, status: 'failed', workerId: daemon_id });
    const current = await make.job({ organizationId, initiatorId: adminId, status: 'running', workerId: daemon_id });
    expect(await admin().provisionerDaemons.list({ ...place(), status: 'busy' })).toMatchObject([
      { status: 'busy', current_job: { id: current.id, status: 'running' }, previous_job: { id: past.id, status: 'failed' } },
    ]);

    clock.advance(DAEMON_STALE_MS + 1);
    expect(await admin().provisionerDaemons.list({ ...place(), status: 'offline' })).toMatchObject([{ id: daemon_id }]);
    expect(await admin().provisionerKeys.listDaemons(place())).toMatchObject([{ daemons: [] }]);
  });

  test('are found by the tags of the jobs that they could take', async () => {
    await daemonWith((await create('gpu', { gpu: 'yes' })).key, 'special');
    await daemonWith((await create('plain')).key, 'plain');
    const names = async (tags: unknown) =>
      (await admin().provisionerDaemons.list({ ...place(), tags: JSON.stringify(tags) })).map(({ name }) => name);
    expect(await names({ gpu: 'yes' })).toEqual(['special']);
    expect(await names({})).toEqual(['plain']);
    expect(await names({ gpu: 'no' })).toEqual([]);
    for (const tags of ['{', '[]', '{"gpu": 1}', 'null']) {
      await expect(admin().provisionerDaemons.list({ ...place(), tags })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });
});
