import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { createTestProvisioner } from '../provisioner-api/test-provisioner.ts';

const { prisma, callAsUser, api, givenDaemon, givenWaitingBuild, acquired } = await createTestProvisioner();

test('the shares of a workspace end with it, and what ended before keeps its time', async () => {
  const { workspace } = await givenWaitingBuild('delete');
  const rows = given(prisma);
  const friend = await rows.user({ memberOf: [workspace.organizationId] });
  const before = new Date(Date.now() - 60_000);
  const open = await rows.share({ workspaceId: workspace.id, userId: friend.id });
  const ended = await rows.share({ workspaceId: workspace.id, userId: friend.id, endedAt: before });
  const { lease } = await acquired(await givenDaemon());
  await api().completeBuild({ ...lease, state: '', timings: [] });
  expect((await prisma.workspaceShare.findUniqueOrThrow({ where: { id: open.id } })).endedAt).not.toBeNull();
  expect((await prisma.workspaceShare.findUniqueOrThrow({ where: { id: ended.id } })).endedAt).toEqual(before);
  expect(await callAsUser(friend.id).workspaceShares.received({ user: 'me' })).toEqual({ shares: [], count: 0 });
});
