import { given } from '@berth/testing';
import { beforeEach, expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const make = given(prisma);

type Made = Awaited<ReturnType<typeof make.template>>;
let made: Made;
let adminId: string;

beforeEach(async () => {
  const organization = await make.organization();
  adminId = (await make.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-template-admin'] }] })).id;
  made = await make.template({ organization, status: 'pending' });
});

const admin = () => callAsUser(adminId);
const remove = () => admin().templates.delete({ template: made.template.id });

test('a deleted template is gone, its name is free, and its end is recorded', async () => {
  const { template, organization } = made;
  await remove();
  await expect(admin().templates.get({ template: template.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(remove()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { version } = await make.version({ organization });
  const again = await admin().templates.create({ organization: organization.id, name: template.name, template_version_id: version.id });
  expect(again.id).not.toBe(template.id);
  const rows = await prisma.auditLog.findMany({ where: { resourceId: template.id } });
  expect(rows).toMatchObject([
    { action: 'delete', resourceTarget: template.name, statusCode: 200, diff: { name: { old: template.name } } },
  ]);
});

test('a template stays while workspaces of it are not deleted, and the refusal says how many', async () => {
  const { template, organization } = made;
  const [first, second] = [await make.workspace({ organization, template }), await make.workspace({ organization, template })];
  await expect(remove()).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('2 workspaces') });
  await prisma.workspace.updateMany({ where: { id: { in: [first.workspace.id, second.workspace.id] } }, data: { deleted: true } });
  await remove();
});

test('a workspace that is made at the same time either keeps the template, or is not made', async () => {
  for (let round = 0; round < 5; round++) {
    const { template, organization } = await make.template();
    const owner = await make.user({ siteRoles: ['owner'], memberOf: [organization.id] });
    await prisma.provisionerDaemon.create({
      data: {
        id: template.id,
        organizationId: organization.id,
        name: 'waiting',
        sessionId: template.id,
        provisioners: ['process'],
        tags: { scope: 'organization', owner: '' },
        lastSeenAt: new Date(),
      },
    });
    const caller = callAsUser(owner.id);
    const outcomes = await Promise.allSettled([
      caller.workspaces.create({ user: 'me', name: 'race', template_id: template.id }),
      caller.templates.delete({ template: template.id }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
});

test('what is open on a template ends with it', async () => {
  const lines = await admin().templateVersions.followLogs({ templateversion: made.version.id });
  const end = lines[Symbol.asyncIterator]().next();
  await remove();
  await expect(end).resolves.toMatchObject({ done: true });
});
