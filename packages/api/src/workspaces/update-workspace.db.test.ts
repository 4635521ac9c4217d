import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, clock, callAsUser } = await createTestApi({ allowWorkspaceRenames: true });
const fixed = await createTestApi();
const make = given(prisma);

type Made = Awaited<ReturnType<typeof make.workspace>>;
let made: Made;
let adminId: string;

beforeEach(async () => {
  made = await make.workspace();
  adminId = (await make.user({ siteRoles: ['owner'] })).id;
});

const owner = () => callAsUser(made.owner.id).workspaces;
const admin = () => callAsUser(adminId).workspaces;
const input = () => ({ workspace: made.workspace.id });
const auditRows = () => prisma.auditLog.findMany({ where: { resourceId: made.workspace.id }, orderBy: { time: 'asc' } });

describe('a workspace', () => {
  test('takes a new name, is found by it, and the change is recorded', async () => {
    await owner().update({ ...input(), name: 'renamed' });
    await expect(owner().getByOwnerAndName({ user: 'me', workspacename: 'renamed' })).resolves.toMatchObject({ id: made.workspace.id });
    expect(await auditRows()).toMatchObject([
      { resourceType: 'workspace', action: 'write', diff: { name: { old: made.workspace.name, new: 'renamed' } } },
    ]);
  });

  test('keeps its name when it is told none or the same, and nothing is recorded', async () => {
    for (const name of [undefined, '', made.workspace.name]) {
      await owner().update(name === undefined ? input() : { ...input(), name });
    }
    expect(await auditRows()).toEqual([]);
  });

  test('cannot take the name of another workspace of its owner, nor a bad one', async () => {
    const other = await make.workspace({ owner: made.owner, template: made.template, organization: made.organization });
    const rename = (name: string) => owner().update({ ...input(), name });
    await expect(rename(other.workspace.name.toUpperCase())).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(rename('no spaces')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('that is deleted cannot be changed', async () => {
    await prisma.workspace.update({ where: { id: made.workspace.id }, data: { deleted: true } });
    await expect(owner().update({ ...input(), name: 'late' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(owner().favorite(input())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('keeps its name where the server allows no other', async () => {
    const { workspace, owner: person } = await given(fixed.prisma).workspace();
    const rename = fixed.callAsUser(person.id).workspaces.update({ workspace: workspace.id, name: 'renamed' });
    await expect(rename).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('a favorite', () => {
  test('is its owner’s: it comes and goes once, recorded each time', async () => {
    await owner().favorite(input());
    await owner().favorite(input());
    await expect(owner().get(input())).resolves.toMatchObject({ favorite: true });
    await owner().unfavorite(input());
    await expect(owner().get(input())).resolves.toMatchObject({ favorite: false });
    expect((await auditRows()).map(({ diff }) => diff)).toMatchObject([{ favorite: { new: true } }, { favorite: { new: false } }]);
  });

  test('is nobody else’s, not even a site owner’s', async () => {
    await expect(admin().favorite(input())).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const stranger = await make.user();
    await expect(callAsUser(stranger.id).workspaces.favorite(input())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('timings', () => {
  test('say where the time of a build went: the driver’s steps, the scripts, and the agents’ coming', async () => {
    const { agent } = await make.agent({ jobId: made.job.id, connected: clock.now(), scripts: [{ script: 'true', displayName: 'setup' }] });
    const script = await prisma.workspaceAgentScript.findFirstOrThrow({ where: { agentId: agent.id } });
    const [startedAt, endedAt] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:05Z')];
    const step = { jobId: made.job.id, source: 'process', action: 'create', resource: 'dev', startedAt, endedAt };
    await prisma.provisionerJobTiming.create({ data: { ...step, stage: 'apply' } });
    await prisma.workspaceAgentScriptTiming.create({
      data: { scriptId: script.id, stage: 'start', status: 'ok', exitCode: 0, startedAt, endedAt },
    });
    const timings = await owner().timings(input());
    expect(timings).toMatchObject({
      provisioner_timings: [{ job_id: made.job.id, stage: 'apply', source: 'process', action: 'create', resource: 'dev' }],
      agent_script_timings: [
        {
          display_name: 'setup',
          stage: 'start',
          status: 'ok',
          exit_code: 0,
          workspace_agent_id: agent.id,
          workspace_agent_name: agent.name,
        },
      ],
      agent_connection_timings: [{ stage: 'connect', workspace_agent_id: agent.id, ended_at: expect.any(String) }],
    });
    expect(await callAsUser(made.owner.id).builds.timings({ workspacebuild: made.build.id })).toEqual(timings);
  });

  test('are empty lists before anything happened, null for an agent that never came, and hidden with the workspace', async () => {
    const nothing = { provisioner_timings: [], agent_script_timings: [], agent_connection_timings: [] };
    await expect(owner().timings(input())).resolves.toEqual(nothing);
    await make.agent({ jobId: made.job.id });
    await expect(owner().timings(input())).resolves.toMatchObject({ agent_connection_timings: [{ ended_at: null }] });
    const stranger = callAsUser((await make.user()).id);
    await expect(stranger.workspaces.timings(input())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(stranger.builds.timings({ workspacebuild: made.build.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
