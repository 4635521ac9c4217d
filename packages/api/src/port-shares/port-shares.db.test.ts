import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const make = given(prisma);

type Made = Awaited<ReturnType<typeof make.workspace>>;
let made: Made;

beforeEach(async () => {
  made = await make.workspace();
  await prisma.template.update({ where: { id: made.template.id }, data: { maxPortShareLevel: 'public' } });
  await make.agent({ jobId: made.job.id });
});

const shares = (userId = made.owner.id) => callAsUser(userId).portShares;
const input = () => ({ workspace: made.workspace.id });
const share = (port: number, more: { share_level?: 'authenticated' | 'public' | 'owner'; agent_name?: string } = {}) =>
  shares().upsert({ ...input(), agent_name: 'main', port, share_level: 'authenticated', protocol: 'http', ...more });
const refusedAt = (field: string) => ({ code: 'BAD_REQUEST', cause: { validations: [expect.objectContaining({ field })] } });

describe('the ports of a workspace', () => {
  test('are shared, shared otherwise and taken back, by port, each change recorded', async () => {
    await share(8080);
    await share(3000);
    await expect(
      shares().upsert({ ...input(), agent_name: 'main', port: 8080, share_level: 'public', protocol: 'https' }),
    ).resolves.toEqual({
      workspace_id: made.workspace.id,
      agent_name: 'main',
      port: 8080,
      share_level: 'public',
      protocol: 'https',
    });
    const { shares: listed } = await shares().list(input());
    expect(listed.map(({ port, share_level }) => [port, share_level])).toEqual([
      [3000, 'authenticated'],
      [8080, 'public'],
    ]);
    await shares().delete({ ...input(), agent_name: 'main', port: 3000 });
    await expect(shares().delete({ ...input(), agent_name: 'main', port: 3000 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await shares().list(input())).shares.map(({ port }) => port)).toEqual([8080]);
    const rows = await prisma.auditLog.findMany({ where: { resourceId: made.workspace.id }, orderBy: { time: 'asc' } });
    expect(rows.map(({ statusCode, additionalFields }) => [statusCode, additionalFields])).toMatchObject([
      [200, { port: 8080, share_level: 'authenticated' }],
      [200, { port: 3000, share_level: 'authenticated' }],
      [200, { port: 8080, share_level: 'public', protocol: 'https' }],
      [200, { port: 3000, share_level: 'owner' }],
      [404, { port: 3000, share_level: 'owner' }],
    ]);
  });

  test('are refused by the field that breaks a rule', async () => {
    for (const port of [8, 65_536, 80.5]) await expect(share(port)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(share(9)).resolves.toMatchObject({ port: 9 });
    await expect(share(65_535)).resolves.toMatchObject({ port: 65_535 });
    await expect(share(8080, { share_level: 'owner' })).rejects.toMatchObject({
      ...refusedAt('share_level'),
      cause: { validations: [{ detail: expect.stringContaining('delete the share') }] },
    });
    await expect(share(8080, { agent_name: 'other' })).rejects.toMatchObject(refusedAt('agent_name'));
  });

  test('are shared no wider than the template allows', async () => {
    await prisma.template.update({ where: { id: made.template.id }, data: { maxPortShareLevel: 'authenticated' } });
    await expect(share(8080)).resolves.toMatchObject({ share_level: 'authenticated' });
    await expect(share(8080, { share_level: 'public' })).rejects.toMatchObject(refusedAt('share_level'));
    await prisma.template.update({ where: { id: made.template.id }, data: { maxPortShareLevel: 'owner' } });
    await expect(share(8081)).rejects.toMatchObject(refusedAt('share_level'));
  });

  test('are those of the latest build: an agent of an older one has none to share', async () => {
    await make.build({ workspace: made.workspace, templateVersionId: made.version.id });
    await expect(share(8080)).rejects.toMatchObject(refusedAt('agent_name'));
  });

  test('are shared by who may change the workspace, and listed to who may read it', async () => {
    await share(8080);
    const reader = await make.user({ siteRoles: ['template-admin'] });
    const stranger = await make.user();
    const upsert = { ...input(), agent_name: 'main', port: 1234, share_level: 'public', protocol: 'http' } as const;
    await expect(shares(reader.id).upsert(upsert)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(shares(reader.id).delete(upsert)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(shares(reader.id).list(input())).resolves.toMatchObject({ shares: [{ port: 8080 }] });
    for (const attempt of [shares(stranger.id).upsert(upsert), shares(stranger.id).list(input())]) {
      await expect(attempt).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('are bounded in number, and an existing share can still be changed', async () => {
    await prisma.workspacePortShare.createMany({
      data: Array.from({ length: 256 }, (_, index) => ({
        workspaceId: made.workspace.id,
        agentName: 'main',
        port: 10_000 + index,
        shareLevel: 'public',
        protocol: 'http',
      })),
    });
    await expect(share(8080)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(share(10_000)).resolves.toMatchObject({ share_level: 'authenticated' });
  });
});
