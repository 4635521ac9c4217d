import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { createTestProvisioner } from '../provisioner-api/test-provisioner.ts';

const { prisma, callAsUser, api, givenDaemon, givenWaitingBuild, acquired } = await createTestProvisioner();

test('the shared ports of a workspace go with it', async () => {
  const { workspace } = await givenWaitingBuild('delete');
  await given(prisma).portShare({ workspaceId: workspace.id });
  const { lease } = await acquired(await givenDaemon());
  await api().completeBuild({ ...lease, state: '', timings: [] });
  expect(await prisma.workspacePortShare.count({ where: { workspaceId: workspace.id } })).toBe(0);
  const list = callAsUser(workspace.ownerId).portShares.list({ workspace: workspace.id });
  await expect(list).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
