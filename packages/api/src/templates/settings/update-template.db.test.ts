import type { Prisma } from '@berth/db';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { workspaceChannel } from '../../kernel/channels.ts';
import { createTestApi } from '../../testing/index.ts';

const { prisma, bus, clock, callAsUser } = await createTestApi();
const make = given(prisma);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let organizationId: string;
let adminId: string;

beforeEach(async () => {
  organizationId = (await make.organization()).id;
  adminId = (await make.user({ memberOf: [{ organizationId, roles: ['organization-template-admin'] }] })).id;
});

const admin = () => callAsUser(adminId);
const ago = (millis: number): Date => new Date(clock.now().getTime() - millis);
const ahead = (millis: number): Date => new Date(clock.now().getTime() + millis);

async function givenTemplate(columns: Partial<Prisma.TemplateUncheckedCreateInput> = {}) {
  const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
  return (await make.template({ organization, ...columns })).template;
}

async function rowOf(id: string) {
  return prisma.workspace.findUniqueOrThrow({ where: { id }, select: { lastUsedAt: true, dormantAt: true, deletingAt: true } });
}

describe('the fields', () => {
  const EVERY_FIELD = {
    name: 'renamed',
    display_name: 'Renamed',
    description: 'Said',
    icon: '/icon/x.svg',
    default_ttl_ms: HOUR_MS,
    activity_bump_ms: 0,
    autostop_requirement: { days_of_week: ['monday' as const, 'sunday' as const], weeks: 16 },
    autostart_requirement: { days_of_week: ['tuesday' as const] },
    allow_user_autostart: false,
    allow_user_autostop: false,
    allow_user_cancel_workspace_jobs: true,
    failure_ttl_ms: MINUTE_MS,
    time_til_dormant_ms: 2 * MINUTE_MS,
    time_til_dormant_autodelete_ms: 3 * MINUTE_MS,
    require_active_version: true,
    deprecation_message: 'Use the other one.',
    max_port_share_level: 'public' as const,
  };

  test('change together, stay when absent, and are on the audit log with their difference', async () => {
    const { id } = await givenTemplate();
    const changed = await admin().templates.update({ template: id, ...EVERY_FIELD });
    expect(changed).toMatchObject({ ...EVERY_FIELD, id, deprecated: true });
    expect(await admin().templates.get({ template: id })).toEqual(changed);
    const later = await admin().templates.update({ template: id, name: '', display_name: '' });
    expect(later).toEqual({ ...changed, display_name: '', updated_at: later.updated_at });

    const [row] = await prisma.auditLog.findMany({ where: { resourceId: id }, orderBy: { time: 'asc' } });
    expect(row).toMatchObject({ action: 'write', resourceType: 'template', resourceTarget: 'renamed', userId: adminId, statusCode: 200 });
    expect(row?.diff).toMatchObject({
      name: { new: 'renamed' },
      max_port_sharing_level: { old: 'owner', new: 'public' },
      require_active_version: { old: false, new: true },
      autostart_block_days_of_week: { old: 0, new: 125 },
    });
  });

  test('that change nothing answer the template as it is', async () => {
    const { id } = await givenTemplate({ description: 'same' });
    expect(await admin().templates.update({ template: id })).toMatchObject({ id, description: 'same' });
  });

  test.each([
    ['failure_ttl_ms', 59_999],
    ['time_til_dormant_ms', 1],
    ['time_til_dormant_autodelete_ms', -1],
    ['default_ttl_ms', 1.5],
    ['time_til_dormant_ms', Number.MAX_SAFE_INTEGER],
    ['description', 'x'.repeat(128)],
    ['autostop_requirement', { weeks: 17 }],
    ['autostart_requirement', { days_of_week: ['Monday'] }],
    ['max_port_share_level', 'everyone'],
    ['name', 'two words'],
    ['display_name', ' padded '],
  ])('refuses a %s of %j, and names it', async (field, value) => {
    const { id } = await givenTemplate();
    await expect(admin().templates.update({ template: id, [field]: value })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(field),
    });
  });

  test('a name that another template of the organization has, in any case, is a conflict; one of another organization is not', async () => {
    const { id } = await givenTemplate();
    await givenTemplate({ name: 'taken' });
    await make.template({ name: 'elsewhere' });
    await expect(admin().templates.update({ template: id, name: 'TAKEN' })).rejects.toMatchObject({
      code: 'CONFLICT',
      cause: { validations: [{ field: 'name' }] },
    });
    expect(await admin().templates.update({ template: id, name: 'elsewhere' })).toMatchObject({ name: 'elsewhere' });
  });

  test('a deleted template cannot be changed', async () => {
    const { id } = await givenTemplate({ deleted: true });
    await expect(admin().templates.update({ template: id, description: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('access of everyone', () => {
  test('is taken by true, and false gives nothing', async () => {
    const template = await givenTemplate();
    const member = callAsUser((await make.user({ memberOf: [organizationId] })).id);
    await expect(member.templates.get({ template: template.id })).resolves.toBeDefined();
    await admin().templates.update({ template: template.id, disable_everyone_group_access: true });
    await expect(member.templates.get({ template: template.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await admin().templates.update({ template: template.id, disable_everyone_group_access: false });
    await expect(member.templates.get({ template: template.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what is there already', () => {
  test('another time until deletion counts for dormant workspaces at once, from when they fell asleep; 0 takes it from them', async () => {
    const template = await givenTemplate();
    const { workspace: asleep } = await make.workspace({ template, dormantAt: ago(HOUR_MS) });
    const { workspace: awake } = await make.workspace({ template });
    await admin().templates.update({ template: template.id, time_til_dormant_autodelete_ms: DAY_MS });
    expect(await rowOf(asleep.id)).toMatchObject({ deletingAt: ahead(DAY_MS - HOUR_MS) });
    expect(await rowOf(awake.id)).toMatchObject({ deletingAt: null });
    await admin().templates.update({ template: template.id, time_til_dormant_autodelete_ms: 0 });
    expect(await rowOf(asleep.id)).toMatchObject({ deletingAt: null });
  });

  test('dormancy and last use can be counted from now on', async () => {
    const template = await givenTemplate({ timeTilDormantAutodeleteMs: DAY_MS });
    const { workspace: asleep } = await make.workspace({
      template,
      lastUsedAt: ago(DAY_MS),
      dormantAt: ago(HOUR_MS),
      deletingAt: ahead(DAY_MS - HOUR_MS),
    });
    const { workspace: other } = await make.workspace({ lastUsedAt: ago(DAY_MS) });
    await admin().templates.update({ template: template.id, update_workspace_dormant_at: true });
    expect(await rowOf(asleep.id)).toEqual({ lastUsedAt: ago(DAY_MS), dormantAt: clock.now(), deletingAt: ahead(DAY_MS) });
    await admin().templates.update({ template: template.id, update_workspace_last_used_at: true });
    expect(await rowOf(asleep.id)).toMatchObject({ lastUsedAt: clock.now() });
    expect(await rowOf(other.id)).toMatchObject({ lastUsedAt: ago(DAY_MS) });
  });

  test('a lower level of port shares reduces what is above it, and at owner removes all', async () => {
    const template = await givenTemplate({ maxPortShareLevel: 'public' });
    const { workspace } = await make.workspace({ template });
    const share = (port: number, shareLevel: string) => ({
      workspaceId: workspace.id,
      agentName: 'main',
      port,
      shareLevel,
      protocol: 'http',
    });
    await prisma.workspacePortShare.createMany({ data: [share(80, 'public'), share(81, 'authenticated')] });
    const levels = async () =>
      (await prisma.workspacePortShare.findMany({ where: { workspaceId: workspace.id }, orderBy: { port: 'asc' } })).map(
        ({ shareLevel }) => shareLevel,
      );
    await admin().templates.update({ template: template.id, max_port_share_level: 'authenticated' });
    expect(await levels()).toEqual(['authenticated', 'authenticated']);
    await admin().templates.update({ template: template.id, max_port_share_level: 'public' });
    expect(await levels()).toEqual(['authenticated', 'authenticated']);
    await admin().templates.update({ template: template.id, max_port_share_level: 'owner' });
    expect(await levels()).toEqual([]);
  });

  test('a new autostop requirement pulls the deadline of what runs, and its watchers hear of it', async () => {
    const template = await givenTemplate();
    const { workspace, build } = await make.workspace({ template });
    const heard: string[] = [];
    const unsubscribe = bus.subscribe(workspaceChannel, ({ workspace_id, kind }) => {
      if (workspace_id === workspace.id) heard.push(kind);
    });
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
    await admin().templates.update({ template: template.id, autostop_requirement: { days_of_week: [...days], weeks: 1 } });
    const { deadline, deadlineRule, maxDeadline } = await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: build.id } });
    expect(deadlineRule).toBe('autostop_requirement');
    expect(deadline).toEqual(maxDeadline);
    expect(deadline?.getTime()).toBeGreaterThan(clock.now().getTime());
    await expect.poll(() => heard).toEqual(expect.arrayContaining(['deadline', 'template']));
    unsubscribe();
  });
});

test('changes of one template at the same time take turns: none is lost', async () => {
  const { id } = await givenTemplate();
  const names = Array.from({ length: 6 }, (_, index) => `name-${index}`);
  await Promise.all([
    ...names.map((name) => admin().templates.update({ template: id, name })),
    admin().templates.update({ template: id, description: 'kept' }),
    admin().templates.update({ template: id, default_ttl_ms: HOUR_MS }),
  ]);
  expect(await admin().templates.get({ template: id })).toMatchObject({ description: 'kept', default_ttl_ms: HOUR_MS });
  const rows = await prisma.auditLog.findMany({ where: { resourceId: id } });
  expect(rows).toHaveLength(8);
});
