import { describe, expect, test } from 'vitest';
import type { GivenScheduled } from './test-schedules.ts';
import { MINUTE_MS, createTestSchedules } from './test-schedules.ts';

const { prisma, make, clock, goTo, givenScheduled, rowOf, buildsOf, callAsUser, run } = await createTestSchedules();

const DUE = '2027-01-13T13:00:00Z';

/** A stopped workspace that is due to start, and whose template has a newer active version that asks for `parameters`. */
async function givenUpdated(
  { template = {}, workspace = {} }: GivenScheduled,
  parameters: Parameters<typeof make.version>[0] & object = {},
) {
  const made = await givenScheduled({ template, workspace: { autostartSchedule: '0 13 * * *', ...workspace } });
  const { version: active } = await make.version({ organization: made.organization, templateId: made.template.id, ...parameters });
  await prisma.template.update({ where: { id: made.template.id }, data: { activeVersionId: active.id } });
  goTo(DUE);
  return { ...made, active };
}
const ASKS = { richParameters: [{ name: 'region', required: true }] };
const ALWAYS = { workspace: { automaticUpdates: 'always' } };
const REQUIRED = { template: { requireActiveVersion: true } };

const auditOf = (resourceId: string) => prisma.auditLog.findMany({ where: { resourceId }, orderBy: { time: 'asc' } });

describe('an autostart', () => {
  test('stays on the version of the workspace', async () => {
    const { workspace, version } = await givenUpdated({});
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'start', templateVersionId: version.id }]);
  });

  test.each([
    ['the workspace updates automatically', ALWAYS],
    ['the template requires it', REQUIRED],
  ])('takes the active version where %s', async (_, facts) => {
    const { workspace, active } = await givenUpdated(facts);
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'start', templateVersionId: active.id }]);
    expect(await rowOf(workspace.id)).toMatchObject({ scheduleProblem: '' });
  });

  test.each([
    ['asks for what the workspace does not have', ASKS, 'region'],
    ['failed to import', { status: 'failed' }, 'import'],
    ['is still imported', { status: 'running' }, 'import'],
    ['is archived', { archived: true }, 'archived'],
  ] as const)('of automatic updates falls back to the present version when the active one %s, and says so', async (_, parameters, word) => {
    const { workspace, version } = await givenUpdated(ALWAYS, parameters);
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'start', templateVersionId: version.id }]);
    const { scheduleProblem } = await rowOf(workspace.id);
    expect(scheduleProblem).toContain(word);
    expect(scheduleProblem).toContain(`present version, ${version.name}`);
  });

  test('does not happen where the template requires a version that cannot be started: the workspace and the log say why, once', async () => {
    const { workspace, owner } = await givenUpdated(REQUIRED, ASKS);
    expect(await run()).toMatchObject({ done: 0, refused: 1 });
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(MINUTE_MS);
      expect(await run()).toMatchObject({ refused: 1 });
    }
    expect(await buildsOf(workspace.id)).toEqual([]);
    expect((await rowOf(workspace.id)).scheduleProblem).toContain('region');
    expect(await auditOf(workspace.id)).toMatchObject([
      {
        resourceType: 'workspace_build',
        action: 'start',
        statusCode: 400,
        userId: owner.id,
        ip: '127.0.0.1',
        buildReason: 'autostart',
        additionalFields: { problem: expect.stringContaining('region'), build_reason: 'autostart' },
        diff: {},
      },
    ]);
  });

  test('is tried again as soon as its reason is gone, and its problem forgotten with the build', async () => {
    const { workspace, active } = await givenUpdated(REQUIRED, ASKS);
    await run();
    await prisma.templateVersionParameter.updateMany({ where: { templateVersionId: active.id }, data: { required: false } });
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
    clock.advance(MINUTE_MS);
    await run();
    expect(await buildsOf(workspace.id)).toHaveLength(1);
    expect(await rowOf(workspace.id)).toMatchObject({ scheduleProblem: '', scheduleTriedAt: null });
  });

  test('is held to what its owner may do', async () => {
    const { workspace, owner, organization } = await givenUpdated({});
    await prisma.organizationMember.deleteMany({ where: { userId: owner.id, organizationId: organization.id } });
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
    expect(await rowOf(workspace.id)).toMatchObject({ scheduleProblem: expect.stringContaining('may not start') });
    expect(await auditOf(workspace.id)).toMatchObject([{ statusCode: 403 }]);
  });

  test('is held to the quota of its owner', async () => {
    const { workspace, version } = await givenUpdated({});
    await prisma.workspaceResource.create({
      data: { id: crypto.randomUUID(), jobId: version.jobId, transition: 'start', name: 'big', type: 'process', dailyCost: 10 },
    });
    await run();
    expect(await buildsOf(workspace.id)).toEqual([]);
    expect((await rowOf(workspace.id)).scheduleProblem).toContain('10');
  });

  test('that cannot happen does not keep the workspace from becoming dormant', async () => {
    const { workspace } = await givenUpdated({ ...REQUIRED, template: { requireActiveVersion: true, timeTilDormantMs: MINUTE_MS } }, ASKS);
    await run();
    expect(await rowOf(workspace.id)).toMatchObject({ dormantAt: clock.now() });
  });

  test('of a person in between is the one that counts', async () => {
    const { workspace, owner } = await givenUpdated({});
    await callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'start' });
    await run();
    expect(await buildsOf(workspace.id)).toMatchObject([{ reason: 'initiator' }]);
  });
});

test('a stop keeps values that its version does not take any more, so that nothing keeps a workspace running', async () => {
  const { workspace, version } = await givenScheduled({ transition: 'start', deadline: clock.now() });
  await prisma.templateVersionParameter.create({
    data: { templateVersionId: version.id, name: 'size', type: 'string', required: true, displayOrder: 0 },
  });
  await run();
  expect(await buildsOf(workspace.id)).toMatchObject([{ transition: 'stop' }]);
});
