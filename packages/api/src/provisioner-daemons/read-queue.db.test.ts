import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAs, callAsUser, countStatements } = await createTestApi();
const make = given(prisma);
const UNTAGGED = { scope: 'organization', owner: '' };

const organization = await make.organization();
const owner = await make.user({ memberOf: [organization.id] });
const { template } = await make.template({ organization });
const deploymentOwner = await make.user({ siteRoles: ['owner'] });
const administrator = await make.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] });

async function givenWaiting(minute: number, tags: Record<string, string> = {}) {
  const made = await make.workspace({ template, owner, status: 'pending' });
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute));
  await prisma.provisionerJob.update({ where: { id: made.job.id }, data: { createdAt, tags: { ...UNTAGGED, ...tags } } });
  return made;
}

const queue = (userId: string) => callAsUser(userId).provisionerDaemons.queue({ organization: organization.id });

test('the queue says of each waiting job what it is for, its place, and why it waits; names only to those who may read them', async () => {
  await callAs({ kind: 'provisioner', organizationId: organization.id, keyId: null, tags: {} }).provisionerApi.registerDaemon({
    name: 'general',
    session_id: crypto.randomUUID(),
    version: 'v1',
    provisioners: ['process'],
    tags: {},
    slots: 1,
    sandbox: { kind: 'none', detail: '' },
  });
  const first = await givenWaiting(1);
  const special = await givenWaiting(2, { gpu: 'yes' });
  const second = await givenWaiting(3);

  const jobs = await queue(administrator.id);
  expect(jobs.map(({ id }) => id)).toEqual([first.job.id, special.job.id, second.job.id]);
  expect(jobs.map(({ queue_position, queue_size, why }) => [queue_position, queue_size, why])).toEqual([
    [1, 2, 'waiting_pickup'],
    [1, 1, 'waiting_no_provisioner'],
    [2, 2, 'waiting_queue'],
  ]);
  expect(jobs[1]).toMatchObject({
    sentence: 'No provisioner can take this build: it needs one for process with the tag gpu=yes.',
    build: { id: special.build.id, workspace_name: special.workspace.name, owner_name: owner.username, may_cancel: false },
    version: null,
  });

  // The template lets nobody but owners of the deployment cancel.
  expect((await queue(deploymentOwner.id)).every(({ build }) => build?.may_cancel === true)).toBe(true);
  const member = await make.user({ memberOf: [organization.id] });
  expect((await queue(member.id)).map(({ build }) => build)).toEqual([null, null, null]);
  expect((await queue(owner.id)).every(({ build }) => build !== null)).toBe(true);
  await expect(queue((await make.user({})).id)).rejects.toMatchObject({ code: 'NOT_FOUND' });

  const few = await countStatements(() => queue(administrator.id));
  for (const minute of [4, 5, 6, 7]) await givenWaiting(minute);
  expect(await countStatements(() => queue(administrator.id))).toBe(few);

  await callAsUser(deploymentOwner.id).builds.cancel({ workspacebuild: first.build.id });
  expect((await queue(administrator.id)).map(({ id }) => id)).not.toContain(first.job.id);
});
