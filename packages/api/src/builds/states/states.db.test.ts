import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const admin = await rows.user({ siteRoles: ['owner'] });
const { builds } = callAsUser(admin.id);

const processState = (keeps: boolean) => Buffer.from(JSON.stringify({ version: 1, keeps_home: keeps }));

/** A workspace whose build has this state; with a driver other than the process driver, where one is named. */
async function workspaceWith(state: Uint8Array<ArrayBuffer>, driver = 'process') {
  const made = await rows.workspace({ organization });
  await prisma.workspaceBuild.update({ where: { id: made.build.id }, data: { provisionerState: state } });
  const { jobId } = await prisma.templateVersion.findUniqueOrThrow({ where: { id: made.version.id }, select: { jobId: true } });
  await prisma.provisionerJob.update({ where: { id: jobId }, data: { provisioner: driver } });
  return made;
}

const stateOf = async (id: string) =>
  Buffer.from((await prisma.workspaceBuild.findUniqueOrThrow({ where: { id } })).provisionerState).toString('utf8');

/** Ends a build as its provisioner would. */
async function finish(buildId: string): Promise<void> {
  const { jobId } = await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: buildId }, select: { jobId: true } });
  await prisma.provisionerJob.update({ where: { id: jobId }, data: { startedAt: new Date(), completedAt: new Date() } });
}

describe('a state that comes with a build', () => {
  it.each(['terraform', 'container', 'process'])('is rejected by its field when it is not one of the %s driver', async (driver) => {
    const { workspace, build } = await workspaceWith(Buffer.from('{"kept":1}'), driver);
    const copied = Buffer.from(JSON.stringify(await builds.get({ workspacebuild: build.id })));
    for (const state of [copied.toString('base64'), [...copied], [0], Buffer.from('[]').toString('base64')]) {
      await expect(builds.create({ workspace: workspace.id, transition: 'start', state })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        cause: { validations: [{ field: 'state', detail: expect.stringMatching(`^is not a state of the ${driver} driver: `) }] },
      });
    }
    expect(await prisma.workspaceBuild.count({ where: { workspaceId: workspace.id } })).toBe(1);
    expect(await stateOf(build.id)).toBe('{"kept":1}');
  });

  it('is taken when it is one of the driver, and the state before stays with its build', async () => {
    const before = processState(true);
    const { workspace, build } = await workspaceWith(before);
    const after = processState(false);
    const made = await builds.create({ workspace: workspace.id, transition: 'stop', state: [...after] });
    expect(await stateOf(made.id)).toBe(after.toString());
    expect(await stateOf(build.id)).toBe(before.toString());
  });
});

describe('the states of a workspace', () => {
  it('are listed newest first with their sizes, without builds that have none', async () => {
    const { workspace, build } = await workspaceWith(processState(true));
    await finish(build.id);
    const second = await builds.create({ workspace: workspace.id, transition: 'stop', state: [...processState(false)] });
    await finish(second.id);
    const third = await builds.create({ workspace: workspace.id, transition: 'stop' });
    await prisma.workspaceBuild.update({ where: { id: third.id }, data: { provisionerState: new Uint8Array() } });
    const states = await builds.listStates({ workspace: workspace.id });
    expect(states).toMatchObject([
      { build_id: second.id, build_number: 2, size: processState(false).length, transition: 'stop', status: 'stopped', is_current: false },
      { build_id: build.id, build_number: 1, size: processState(true).length, is_current: false },
    ]);
    expect(await builds.listStates({ workspace: workspace.id, limit: '1', offset: '1' })).toMatchObject([{ build_number: 1 }]);
    await prisma.workspaceBuild.update({ where: { id: third.id }, data: { provisionerState: processState(true) } });
    expect((await builds.listStates({ workspace: workspace.id })).map(({ is_current }) => is_current)).toEqual([true, false, false]);
  });

  it('are for those who may update the template', async () => {
    const { workspace, owner, build } = await workspaceWith(processState(true));
    const stranger = await rows.user({ memberOf: [organization.id] });
    const templateAdmin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-template-admin'] }] });
    const restore = { workspacebuild: build.id, transition: 'stop' } as const;
    for (const [user, code] of [
      [stranger, 'NOT_FOUND'],
      [owner, 'FORBIDDEN'],
    ] as const) {
      await expect(callAsUser(user.id).builds.listStates({ workspace: workspace.id })).rejects.toMatchObject({ code });
      await expect(callAsUser(user.id).builds.restoreState(restore)).rejects.toMatchObject({ code });
    }
    await expect(callAsUser(templateAdmin.id).builds.listStates({ workspace: workspace.id })).resolves.toHaveLength(1);
    await expect(builds.listStates({ workspace: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(builds.restoreState({ ...restore, workspacebuild: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await prisma.workspaceBuild.count({ where: { workspaceId: workspace.id } })).toBe(1);
  });
});

describe('restoring a state', () => {
  it('creates a build that starts from it, keeps all states, and is audited with the build it comes from', async () => {
    const good = processState(true);
    const { workspace, owner, build } = await workspaceWith(good);
    await finish(build.id);
    const bad = await builds.create({ workspace: workspace.id, transition: 'stop', state: [...processState(false)] });
    await finish(bad.id);
    const restored = await builds.restoreState({ workspacebuild: build.id, transition: 'start' });
    expect(restored).toMatchObject({ build_number: 3, transition: 'start', status: 'pending', workspace_id: workspace.id });
    expect(await stateOf(restored.id)).toBe(good.toString());
    expect(await stateOf(bad.id)).toBe(processState(false).toString());
    expect(await builds.listStates({ workspace: workspace.id })).toHaveLength(3);
    expect(await prisma.auditLog.findMany({ where: { resourceId: restored.id } })).toMatchObject([
      {
        userId: admin.id,
        resourceType: 'workspace_build',
        action: 'write',
        resourceTarget: workspace.name,
        additionalFields: { workspace_owner: owner.username, build_number: '3', restored_state_of_build: '1' },
      },
    ]);
    await expect(builds.restoreState({ workspacebuild: build.id, transition: 'start' })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is rejected for a build without a state, and for a state of another driver than that of the latest version', async () => {
    const empty = await workspaceWith(new Uint8Array());
    await expect(builds.restoreState({ workspacebuild: empty.build.id, transition: 'stop' })).rejects.toMatchObject({
      cause: { validations: [{ field: 'workspacebuild', detail: 'has no state to restore' }] },
    });
    const other = await workspaceWith(processState(true), 'terraform');
    await expect(builds.restoreState({ workspacebuild: other.build.id, transition: 'stop' })).rejects.toMatchObject({
      cause: { validations: [{ field: 'state', detail: expect.stringContaining('is not a state of the terraform driver') }] },
    });
  });
});
