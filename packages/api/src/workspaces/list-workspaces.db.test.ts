import { given } from '@berth/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, userPrincipal } from '../testing/index.ts';
import { WorkspacePage } from './contract.ts';

const { prisma, clock, callAs, callAsUser, countStatements } = await createTestApi();
const rows = given(prisma);
const here = await rows.organization();
const there = await rows.organization();
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

  it('finds by ids, and by being outdated', async () => {
    const { template, workspace } = await rows.workspace({ organization: here, owner: ada, name: 'old' });
    const { version } = await rows.version({ organization: here, templateId: template.id });
    await prisma.template.update({ where: { id: template.id }, data: { activeVersionId: version.id } });
    expect(await namesFor(ada.id, `id:${workspace.id}`)).toEqual(['Ada/old']);
    expect(await namesFor(ada.id, 'outdated:true')).toEqual(['Ada/old']);
    await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: true } });
  });

  it('says what is wrong with a search', async () => {
    const refusal = await callAsUser(ada.id)
      .workspaces.list({ q: 'a/b/c wrong:key' })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', cause: { validations: [{ field: 'q' }, { field: 'wrong' }] } });
  });
});
