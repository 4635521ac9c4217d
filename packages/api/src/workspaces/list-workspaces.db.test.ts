import type { WorkspaceSort } from '@berth/domain';
import { WORKSPACE_SORTS, WORKSPACE_STATUSES } from '@berth/domain';
import { given } from '@berth/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, userPrincipal } from '../testing/index.ts';
import { WorkspacePage } from './contract.ts';

const { prisma, clock, callAs, callAsUser, countStatements } = await createTestApi();
const rows = given(prisma);
const here = await rows.organization();
const there = await rows.organization();
const elsewhere = await rows.organization();
const ada = await rows.user({ username: 'Ada', memberOf: [here.id] });
const bob = await rows.user({ username: 'bob', memberOf: [here.id, there.id] });
const siteOwner = await rows.user({ siteRoles: ['owner'] });

async function namesFor(userId: string, q = '', page: { limit?: number; offset?: number } = {}): Promise<string[]> {
  const { workspaces } = await callAsUser(userId).workspaces.list({ q, ...page });
  return workspaces.map(({ owner_name, name }) => `${owner_name}/${name}`);
}

beforeAll(async () => {
  const { template } = await rows.template({ organization: here, name: 'Plain' });
  const { template: faraway } = await rows.template({ organization: there, name: 'faraway' });
  await rows.workspace({ template, owner: ada, name: 'idle', transition: 'stop' });
  const running = await rows.workspace({ template, owner: ada, name: 'Running', parameters: { Region: 'eu', size: 'big' } });
  await rows.agent({ jobId: running.job.id, connected: clock.now() });
  await rows.workspace({ template, owner: ada, name: 'liked', transition: 'stop', favorite: true });
  await rows.workspace({ template, owner: bob, name: 'broken', status: 'failed', favorite: true });
  await rows.workspace({ template, owner: bob, name: 'asleep', transition: 'stop', dormantAt: new Date() });
  await rows.workspace({ template: faraway, owner: bob, name: 'remote', lastUsedAt: new Date('2020-01-01T00:00:00Z') });
  await rows.workspace({ template, owner: ada, name: 'gone', deleted: true });
});

describe('order and page', () => {
  it('puts the caller’s favorites first, then what runs, then goes by owner and name', async () => {
    expect(await namesFor(ada.id)).toEqual(['Ada/liked', 'Ada/Running', 'Ada/idle']);
    // Ada's favorite is none of the site owner's.
    expect(await namesFor(siteOwner.id)).toEqual(['Ada/Running', 'bob/remote', 'Ada/idle', 'Ada/liked', 'bob/asleep', 'bob/broken']);
  });

  it('counts all that match, also past the end, by one statement', async () => {
    const caller = callAs(await userPrincipal(prisma, siteOwner.id));
    const page = await caller.workspaces.list({ limit: '2', offset: '1' });
    expect(page).toEqual(WorkspacePage.parse(page));
    expect(page.count).toBe(6);
    expect(page.workspaces.map(({ name }) => name)).toEqual(['remote', 'idle']);
    await expect(caller.workspaces.list({ offset: 50 })).resolves.toEqual({ workspaces: [], count: 6 });
    expect(await countStatements(() => caller.workspaces.list({}))).toBe(1);
  });

  it('answers each workspace on exactly one page, whatever its size, and in the order of the whole list', async () => {
    for (const userId of [ada.id, bob.id, siteOwner.id]) {
      const all = await namesFor(userId);
      for (const limit of [1, 2, 5]) {
        const pages: string[] = [];
        for (let offset = 0; offset < all.length; offset += limit) pages.push(...(await namesFor(userId, '', { limit, offset })));
        expect(pages).toEqual(all);
        expect(await namesFor(userId, 'name:i', { limit: 100 })).toEqual(all.filter((name) => name.split('/')[1]?.includes('i')));
      }
    }
  });

  it('goes by the name that an owner has now', async () => {
    const admin = await rows.user({ memberOf: [{ organizationId: elsewhere.id, roles: ['organization-admin'] }] });
    const [first, second] = [
      await rows.user({ username: 'amy', memberOf: [elsewhere.id] }),
      await rows.user({ username: 'Ben', memberOf: [elsewhere.id] }),
    ];
    const { template } = await rows.template({ organization: elsewhere });
    for (const owner of [second, first]) await rows.workspace({ template, owner, name: 'dev' });
    expect(await namesFor(admin.id)).toEqual(['amy/dev', 'Ben/dev']);
    await callAsUser(first.id).users.updateProfile({ user: 'me', username: 'Zoe' });
    expect(await namesFor(admin.id)).toEqual(['Ben/dev', 'Zoe/dev']);
    expect(await namesFor(admin.id, 'owner:zoe')).toEqual(['Zoe/dev']);
    await prisma.workspace.updateMany({ where: { organizationId: elsewhere.id }, data: { deleted: true } });
  });

  it('goes by the name that an owner has, also when it changes while they get workspaces', async () => {
    const owner = await rows.user({ memberOf: [elsewhere.id] });
    const { template } = await rows.template({ organization: elsewhere });
    const names = ['first', 'second', 'third'].map((name) => `${name}-${owner.username}`);
    await Promise.all([
      ...names.map((username) => prisma.user.update({ where: { id: owner.id }, data: { username } })),
      ...names.map((name) => rows.workspace({ template, owner, name })),
    ]);
    const { username } = await prisma.user.findUniqueOrThrow({ where: { id: owner.id } });
    const sorted = await prisma.workspace.findMany({ where: { ownerId: owner.id }, select: { ownerSort: true } });
    expect(sorted.map(({ ownerSort }) => ownerSort)).toEqual(names.map(() => username));
    await prisma.workspace.updateMany({ where: { organizationId: elsewhere.id }, data: { deleted: true } });
  });

  it('goes by what is asked for, both ways, with each workspace on exactly one page', async () => {
    const sorted = async (sort: WorkspaceSort, page: { limit?: number; offset?: number; q?: string } = {}) =>
      (await callAsUser(siteOwner.id).workspaces.list({ sort, ...page })).workspaces.map(({ name }) => name);
    expect(await sorted('name')).toEqual(['asleep', 'broken', 'idle', 'liked', 'remote', 'Running']);
    expect(await sorted('-name')).toEqual(['Running', 'remote', 'liked', 'idle', 'broken', 'asleep']);
    expect(await sorted('owner')).toEqual(['idle', 'liked', 'Running', 'asleep', 'broken', 'remote']);
    expect(await sorted('template')).toEqual(['remote', 'idle', 'liked', 'Running', 'asleep', 'broken']);
    expect(await sorted('-template', { q: 'template:plain owner:bob' })).toEqual(['asleep', 'broken']);
    expect(await sorted('status')).toEqual(['broken', 'Running', 'remote', 'idle', 'liked', 'asleep']);
    expect(await sorted('status', { q: 'outdated:false status:stopped' })).toEqual(['idle', 'liked', 'asleep']);
    expect((await sorted('last_used'))[0]).toBe('remote');
    expect((await sorted('-last_used')).at(-1)).toBe('remote');
    for (const sort of WORKSPACE_SORTS) {
      const all = await sorted(sort);
      const pages = [...(await sorted(sort, { limit: 4 })), ...(await sorted(sort, { limit: 4, offset: 4 }))];
      expect(pages, sort).toEqual(all);
      expect(pages.toSorted(), sort).toEqual((await sorted('name')).toSorted());
    }
    const caller = callAs(await userPrincipal(prisma, siteOwner.id));
    expect(await countStatements(() => caller.workspaces.list({ sort: '-status' }))).toBe(1);
  });

  it('refuses an order that there is not, by its field', async () => {
    const asked = callAsUser(ada.id).workspaces.list({ sort: 'colour' as 'name' });
    await expect(asked).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: { issues: [{ path: ['sort'] }] } });
  });

  it('refuses a limit beyond its bound', async () => {
    await expect(callAsUser(ada.id).workspaces.list({ limit: 501 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('who sees what', () => {
  it('shows members their own, site owners all, and organization administrators those of their organization', async () => {
    const admin = await rows.user({ memberOf: [{ organizationId: there.id, roles: ['organization-admin'] }] });
    expect(await namesFor(bob.id)).toEqual(['bob/broken', 'bob/remote', 'bob/asleep']);
    expect(await namesFor(admin.id)).toEqual(['bob/remote']);
    expect(await namesFor((await rows.user({ memberOf: [here.id, there.id] })).id)).toEqual([]);
  });

  it('hides dormant workspaces from template administrators, who may only read those that are awake', async () => {
    const siteWide = await rows.user({ siteRoles: ['template-admin'] });
    const local = await rows.user({ memberOf: [{ organizationId: here.id, roles: ['organization-template-admin'] }] });
    expect(await namesFor(siteWide.id)).toEqual(['Ada/Running', 'bob/remote', 'Ada/idle', 'Ada/liked', 'bob/broken']);
    expect(await namesFor(local.id)).toEqual(['Ada/Running', 'Ada/idle', 'Ada/liked', 'bob/broken']);
  });
});

describe('search', () => {
  const cases: [q: string, found: string[]][] = [
    ['RUN', ['Ada/Running']],
    ['bob/o', ['bob/remote', 'bob/broken']],
    ['name:%', []],
    ['owner:ADA', ['Ada/Running', 'Ada/idle', 'Ada/liked']],
    ['owner:me', []],
    ['template:plain status:failed', ['bob/broken']],
    ['status:stopped', ['Ada/idle', 'Ada/liked', 'bob/asleep']],
    ['status:running', ['Ada/Running', 'bob/remote']],
    ['has-agent:connected', ['Ada/Running']],
    ['has-agent:disconnected', []],
    ['dormant:true', ['bob/asleep']],
    ['last_used_before:"2020-01-01T00:00:00Z"', ['bob/remote']],
    ['last_used_after:"2020-01-01T00:00:01Z" owner:bob', ['bob/asleep', 'bob/broken']],
    ['outdated:true', []],
    ['outdated:false owner:bob', ['bob/remote', 'bob/asleep', 'bob/broken']],
    [`organization:${there.id}`, ['bob/remote']],
    [`organization:${there.name}`, ['bob/remote']],
    ['param:region', ['Ada/Running']],
    ['param:REGION=eu', ['Ada/Running']],
    ['param:region=us', []],
    ['param:region=us,size=big', ['Ada/Running']],
  ];
  for (const [q, found] of cases) {
    it(`finds ${found.length === 0 ? 'nothing' : found.join(', ')} for ${q.replaceAll(/[0-9a-f-]{20,}/g, 'an id')}`, async () => {
      expect(await namesFor(siteOwner.id, q)).toEqual(found);
    });
  }

  it('finds by each status exactly those that show it', async () => {
    const owner = await rows.user({ memberOf: [elsewhere.id] });
    const { template } = await rows.template({ organization: elsewhere });
    for (const status of ['pending', 'running', 'succeeded', 'canceling', 'canceled', 'failed'] as const) {
      for (const transition of ['start', 'stop', 'delete'] as const) {
        await rows.workspace({ template, owner, status, transition, name: `${status}-${transition}` });
      }
    }
    const caller = callAsUser(owner.id).workspaces;
    const { workspaces, count } = await caller.list({});
    expect(count).toBe(18);
    for (const status of WORKSPACE_STATUSES) {
      const shown = workspaces.filter(({ latest_build }) => latest_build.status === status).map(({ name }) => name);
      const found = await caller.list({ q: `status:${status}` });
      expect(
        found.workspaces.map(({ name }) => name),
        status,
      ).toEqual(shown);
      expect([found.count, shown.length > 0], status).toEqual([shown.length, true]);
    }
  });

  it('finds by ids, and by being outdated', async () => {
    const { template, workspace } = await rows.workspace({ organization: here, owner: ada, name: 'old' });
    const { version } = await rows.version({ organization: here, templateId: template.id });
    await prisma.template.update({ where: { id: template.id }, data: { activeVersionId: version.id } });
    expect(await namesFor(ada.id, `id:${workspace.id}`)).toEqual(['Ada/old']);
    expect(await namesFor(ada.id, 'outdated:true')).toEqual(['Ada/old']);
    await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: true } });
  });

  it.each([
    ['a/b/c wrong:key', ['q', 'wrong']],
    ['status:started', ['status']],
    ['dormant:perhaps', ['dormant']],
    ['outdated:2', ['outdated']],
    ['id:x', ['id']],
    ['param:a=b=c', ['param']],
    ['param:a=', ['param']],
    ['last_used_before:yesterday', ['last_used_before']],
    ['last_used_after:"2026-02-30T00:00:00Z"', ['last_used_after']],
    ['one two', ['name']],
    [':x', ['q']],
    ['template:a template:b', ['template']],
  ])('says which keys of %s are wrong', async (q, fields) => {
    const refusal = await callAsUser(ada.id)
      .workspaces.list({ q })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', cause: { validations: fields.map((field) => ({ field })) } });
  });

  it('says what is wrong with a search', async () => {
    const refusal = await callAsUser(ada.id)
      .workspaces.list({ q: 'a/b/c wrong:key' })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', cause: { validations: [{ field: 'q' }, { field: 'wrong' }] } });
  });
});
