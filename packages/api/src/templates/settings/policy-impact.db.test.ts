import type { Prisma } from '@berth/db';
import { given } from '@berth/testing';
import { beforeEach, expect, test } from 'vitest';
import { createTestApi } from '../../testing/index.ts';

const { prisma, clock, callAsUser, countStatements } = await createTestApi();
const make = given(prisma);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

let organizationId: string;
let adminId: string;

beforeEach(async () => {
  organizationId = (await make.organization()).id;
  adminId = (await make.user({ memberOf: [{ organizationId, roles: ['organization-template-admin'] }] })).id;
});

const admin = () => callAsUser(adminId);
const ago = (millis: number): Date => new Date(clock.now().getTime() - millis);
const iso = (millis: number): string => new Date(clock.now().getTime() + millis).toISOString();

async function givenTemplate(columns: Partial<Prisma.TemplateUncheckedCreateInput> = {}) {
  const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
  return (await make.template({ organization, ...columns })).template;
}

const effectsOf = (impact: Awaited<ReturnType<ReturnType<typeof admin>['templates']['policyImpact']>>, workspaceId: string) =>
  impact.workspaces.find(({ workspace_id }) => workspace_id === workspaceId)?.effects;

test('says of each workspace what the change would do to it and when, and does none of it', async () => {
  const template = await givenTemplate({ maxPortShareLevel: 'public' });
  const idle = (await make.workspace({ template, transition: 'stop', lastUsedAt: ago(DAY_MS) })).workspace;
  const asleep = (await make.workspace({ template, transition: 'stop', dormantAt: ago(HOUR_MS) })).workspace;
  const failed = (await make.workspace({ template, status: 'failed', lastUsedAt: clock.now() })).workspace;
  await prisma.workspacePortShare.create({
    data: { workspaceId: idle.id, agentName: 'main', port: 80, shareLevel: 'public', protocol: 'http' },
  });
  const everything = () =>
    Promise.all([
      prisma.template.findMany({ where: { id: template.id } }),
      prisma.workspace.findMany({ where: { templateId: template.id }, orderBy: { id: 'asc' } }),
      prisma.workspaceBuild.findMany({ orderBy: { id: 'asc' } }),
      prisma.workspacePortShare.findMany(),
      prisma.auditLog.count(),
    ]);
  const before = await everything();
  const impact = await admin().templates.policyImpact({
    template: template.id,
    time_til_dormant_ms: 2 * DAY_MS,
    time_til_dormant_autodelete_ms: 7 * DAY_MS,
    failure_ttl_ms: HOUR_MS,
    max_port_share_level: 'owner',
  });
  expect(impact).toMatchObject({ count: 3, examined: 3, is_complete: true });
  expect(impact.counts).toMatchObject({ dormant: 2, delete: 3, failure_stop: 1, port_shares: 1, autostop: 0 });
  expect(effectsOf(impact, idle.id)).toMatchObject([
    { kind: 'dormant', before: null, after: iso(DAY_MS), rule: 'time_til_dormant' },
    { kind: 'delete', before: null, after: iso(8 * DAY_MS), rule: 'time_til_dormant_autodelete' },
    { kind: 'port_shares', detail: '1 shared port is no longer shared.' },
  ]);
  expect(effectsOf(impact, asleep.id)).toMatchObject([{ kind: 'delete', before: null, after: iso(7 * DAY_MS - HOUR_MS) }]);
  expect(effectsOf(impact, failed.id)).toMatchObject([
    { kind: 'failure_stop', rule: 'failure_ttl' },
    { kind: 'dormant' },
    { kind: 'delete' },
  ]);
  expect(await everything()).toEqual(before);
});

test('a deadline is foretold exactly as the change then sets it, with its rule', async () => {
  const template = await givenTemplate();
  const { workspace, build } = await make.workspace({ template });
  const change = { template: template.id, autostop_requirement: { days_of_week: [...EVERY_DAY], weeks: 1 } };
  const impact = await admin().templates.policyImpact(change);
  await admin().templates.update(change);
  const { deadline } = await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: build.id } });
  expect(deadline).not.toBeNull();
  expect(effectsOf(impact, workspace.id)).toMatchObject([
    { kind: 'autostop', before: null, after: deadline?.toISOString(), rule: 'autostop_requirement' },
    { kind: 'must_stop', before: null, after: deadline?.toISOString() },
  ]);
  expect(await admin().templates.policyImpact(change)).toMatchObject({ count: 0, examined: 1 });
});

test('names workspaces that stop starting by themselves, that live shorter, and that could not be started as they are', async () => {
  const template = await givenTemplate({ defaultTtlMs: 2 * HOUR_MS });
  const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
  const { version: old } = await make.version({ organization, templateId: template.id });
  const { workspace } = await make.workspace({ template, transition: 'stop', autostartSchedule: '0 9 * * *', ttlMs: 8 * HOUR_MS });
  await make.build({ workspace, templateVersionId: old.id, transition: 'stop' });
  const impact = await admin().templates.policyImpact({
    template: template.id,
    allow_user_autostart: false,
    allow_user_autostop: false,
    require_active_version: true,
  });
  expect(effectsOf(impact, workspace.id)).toMatchObject([
    { kind: 'autostart', before: expect.any(String), after: null, detail: 'It does not start by itself any more.' },
    { kind: 'ttl', before: null, after: null, detail: 'From its next start on it runs for 120 minutes.' },
    { kind: 'outdated' },
  ]);
});

test('lists a page of the touched workspaces by owner and name, and counts them all in as many statements as one', async () => {
  const template = await givenTemplate();
  const ask = (page = {}) => admin().templates.policyImpact({ template: template.id, time_til_dormant_ms: 60_000, ...page });
  await make.workspace({ template, transition: 'stop' });
  const statements = await countStatements(() => ask());
  const names = ['b', 'a', 'c'];
  const owner = await make.user({ memberOf: [organizationId], username: '0-first' });
  for (const name of names) await make.workspace({ template, owner, name, transition: 'stop' });
  expect(await countStatements(() => ask())).toBe(statements);
  const page = await ask({ limit: 2, offset: 1 });
  expect(page).toMatchObject({ count: 4, counts: { dormant: 4 } });
  expect(page.workspaces.map(({ workspace_name }) => workspace_name)).toEqual(['b', 'c']);
  expect((await ask({ limit: 0 })).workspaces).toHaveLength(4);
  await expect(ask({ limit: 501 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
