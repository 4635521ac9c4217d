import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { workspaceChannel } from '../kernel/channels.ts';
import { openVariableValues } from '../provisioner-jobs/sealed-input.ts';
import { createTestApi, userPrincipal } from '../testing/index.ts';
import { readExamples } from './examples.ts';

/** What matters here of a `berth.yaml`. */
const Declared = z.object({ variables: z.array(z.object({ name: z.string(), default: z.unknown() })).optional() });

const templatesDir = await mkdtemp(join(tmpdir(), 'berth-starters-'));
afterAll(() => rm(templatesDir, { recursive: true, force: true }));
await mkdir(join(templatesDir, 'go-service'));
await writeFile(join(templatesDir, 'go-service', 'berth.yaml'), 'version: 1\n');
await writeFile(
  join(templatesDir, 'go-service', 'README.md'),
  '---\ndisplay_name: Go service\ndescription: A small service\nicon: /icon/go.svg\ntags: [go]\nvariables:\n  - name: region\n    description: Where it runs.\n---\n# Go\n',
);
await mkdir(join(templatesDir, 'no-template'));

const { prisma, bus, services, clock, callAs, callAsUser, countStatements } = await createTestApi({ templatesDir });
const make = given(prisma);

let organizationId: string;
let adminId: string;
let memberId: string;

beforeEach(async () => {
  organizationId = (await make.organization()).id;
  adminId = (await make.user({ memberOf: [{ organizationId, roles: ['organization-template-admin'] }] })).id;
  memberId = (await make.user({ memberOf: [organizationId] })).id;
});

const organization = () => prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
const admin = () => callAsUser(adminId);
const member = () => callAsUser(memberId);

const use = (templateId: string, userId: string, startTime: Date) =>
  prisma.templateUsageBucket.create({ data: { templateId, userId, startTime, lastMinute: startTime } });

async function givenVersion(overrides: Parameters<typeof make.version>[0] = {}) {
  return (await make.version({ organization: await organization(), ...overrides })).version;
}

describe('create', () => {
  test('a template has what was asked for, every default, and its version as the active one', async () => {
    const version = await givenVersion({ status: 'pending' });
    const template = await admin().templates.create({
      organization: organizationId,
      name: 'Node',
      template_version_id: version.id,
      autostop_requirement: { days_of_week: ['sunday', 'monday'], weeks: 0 },
    });
    expect(template).toMatchObject({
      name: 'Node',
      organization_id: organizationId,
      active_version_id: version.id,
      provisioner: 'process',
      active_user_count: 0,
      activity_bump_ms: 3_600_000,
      default_ttl_ms: 0,
      autostop_requirement: { days_of_week: ['monday', 'sunday'], weeks: 1 },
      autostart_requirement: { days_of_week: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] },
      build_time_stats: { start: { p50: null, p95: null }, stop: { p50: null, p95: null }, delete: { p50: null, p95: null } },
      allow_user_autostart: true,
      allow_user_autostop: true,
      allow_user_cancel_workspace_jobs: false,
      require_active_version: false,
      max_port_share_level: 'owner',
      deprecated: false,
      created_by_id: adminId,
    });
    expect(await admin().templates.getByName({ organization: organizationId, templatename: 'NODE' })).toEqual(template);
    expect((await admin().templateVersions.get({ templateversion: version.id })).template_id).toBe(template.id);
  });

  test('leaves one audit row for the template and one for the version that it took', async () => {
    const version = await givenVersion();
    const template = await admin().templates.create({ organization: organizationId, name: 'audited', template_version_id: version.id });
    const rows = await prisma.auditLog.findMany({ where: { organizationId }, orderBy: { resourceType: 'asc' } });
    expect(rows).toMatchObject([
      { resourceType: 'template', action: 'create', resourceId: template.id, resourceTarget: 'audited', userId: adminId },
      { resourceType: 'template_version', action: 'write', resourceId: version.id, diff: { template_id: { new: template.id } } },
    ]);
    expect(rows[0]?.diff).toMatchObject({ group_acl: { new: { [organizationId]: ['read'] } }, active_version_id: { new: version.id } });
  });

  test('a name that is taken in the organization, in whatever case, is refused and recorded', async () => {
    await make.template({ organization: await organization(), name: 'taken' });
    const version = await givenVersion();
    const attempt = admin().templates.create({ organization: organizationId, name: 'Taken', template_version_id: version.id });
    await expect(attempt).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await prisma.auditLog.findMany({ where: { organizationId } })).toMatchObject([
      { statusCode: 409, resourceTarget: 'Taken', diff: {} },
    ]);
  });

  test('a version that is archived, attached, unknown or of another organization is refused', async () => {
    const create = (id: string) => admin().templates.create({ organization: organizationId, name: 'name', template_version_id: id });
    await expect(create((await givenVersion({ archived: true })).id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const { version } = await make.template({ organization: await organization() });
    await expect(create(version.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(create(newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(create((await make.version()).version.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each([
    ['a bad name', { name: 'a--b' }],
    ['a reserved name', { name: 'new' }],
    ['a long description', { description: 'x'.repeat(128) }],
    ['a negative time', { default_ttl_ms: -1 }],
    ['too many weeks', { autostop_requirement: { weeks: 17 } }],
  ])('%s is refused', async (_, body) => {
    const version = await givenVersion();
    const attempt = admin().templates.create({ organization: organizationId, name: 'fine', template_version_id: version.id, ...body });
    await expect(attempt).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('members and strangers may not', async () => {
    const version = await givenVersion();
    const input = { organization: organizationId, name: 'mine', template_version_id: version.id };
    await expect(member().templates.create(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(callAsUser((await make.user()).id).templates.create(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('read', () => {
  test('a member reads what the everyone group may use; without an entry there is nothing to see', async () => {
    const open = await make.template({ organization: await organization() });
    const closed = await make.template({ organization: await organization(), groupAcl: {} });
    expect(await member().templates.get({ template: open.template.id })).toMatchObject({ id: open.template.id });
    await expect(member().templates.get({ template: closed.template.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await member().templates.list({})).map(({ id }) => id)).toEqual([open.template.id]);
    expect((await admin().templates.list({})).map(({ id }) => id).toSorted()).toEqual([open.template.id, closed.template.id].toSorted());
    expect(await callAsUser((await make.user()).id).templates.list({})).toEqual([]);
    await prisma.template.update({ where: { id: closed.template.id }, data: { userAcl: { [memberId]: ['read'] } } });
    expect(await member().templates.list({})).toHaveLength(2);
  });

  test('a deleted template is gone, except for those who ask for deleted ones', async () => {
    const { template } = await make.template({ organization: await organization(), deleted: true });
    await expect(admin().templates.get({ template: template.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await admin().templates.list({})).toEqual([]);
    expect(await admin().templates.list({ q: 'deleted:true' })).toMatchObject([{ id: template.id }]);
  });

  test('the list is searched by name, exact name, ids, deprecation and organization', async () => {
    const alpha = await make.template({ organization: await organization(), name: 'alpha' });
    const beta = await make.template({ organization: await organization(), name: 'alphabet', deprecationMessage: 'old' });
    const names = async (q: string) =>
      (await admin().templates.listByOrganization({ organization: organizationId, q })).map(({ name }) => name);
    expect(await names('ALPHA')).toEqual(['alpha', 'alphabet']);
    expect(await names('exact_name:alpha')).toEqual(['alpha']);
    expect(await names(`ids:${beta.template.id}`)).toEqual(['alphabet']);
    expect(await names('deprecated:true')).toEqual(['alphabet']);
    expect(await names('deprecated:false name:alpha')).toEqual(['alpha']);
    const { name } = await organization();
    expect(await admin().templates.list({ q: `organization:${name} exact_name:alpha` })).toMatchObject([{ id: alpha.template.id }]);
  });

  test.each([
    ['colour:red', 'colour'],
    ['organization:nowhere', 'organization'],
    ['ids:1', 'ids'],
    ['deleted:maybe', 'deleted'],
    ['deprecated:', 'q'],
    ['name:a name:b', 'name'],
    ['a:b:c', 'q'],
  ])('the search %j is refused, naming the key %s', async (q, field) => {
    await expect(admin().templates.list({ q })).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: { validations: [{ field }] } });
  });

  test('templates with more active users come first, with how long their builds took', async () => {
    await make.template({ organization: await organization(), name: 'aaa' });
    const used = await make.template({ organization: await organization(), name: 'zzz' });
    const { job, owner } = await make.workspace({ template: used.template });
    await use(used.template.id, owner.id, clock.now());
    await prisma.provisionerJob.update({ where: { id: job.id }, data: { startedAt: new Date(0), completedAt: new Date(1500) } });
    const [first] = await admin().templates.list({});
    expect(first).toMatchObject({ name: 'zzz', active_user_count: 1, build_time_stats: { start: { p50: 1500, p95: 1500 } } });
  });
});

test('active users are the people who used workspaces in the last week, as the insights count them', async () => {
  const { template } = await make.template({ organization: await organization() });
  // Never used, however new it is.
  await make.workspace({ template, lastUsedAt: clock.now() });
  const [one, other] = [await make.user(), await make.user()];
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
  await use(template.id, one.id, daysAgo(2));
  await use(template.id, one.id, daysAgo(3));
  await use(template.id, other.id, daysAgo(10));
  const { active_user_count } = await admin().templates.get({ template: template.id });
  const midnight = (date: Date) => `${date.toISOString().slice(0, 10)}T00:00:00Z`;
  const week = { start_time: midnight(daysAgo(7)), end_time: midnight(daysAgo(0)) };
  const { report } = await admin().insights.templates({ ...week, template_ids: [template.id] });
  expect([active_user_count, report?.active_users]).toEqual([1, 1]);
});

test('a list of any length is one statement', async () => {
  for (let count = 0; count < 3; count += 1) await make.template({ organization: await organization() });
  const { templates } = callAs(await userPrincipal(prisma, memberId));
  expect(await countStatements(() => templates.list({}))).toBe(1);
  expect(await templates.list({})).toHaveLength(3);
});

describe('promote', () => {
  test('makes a version the active one and records the change', async () => {
    const { template } = await make.template({ organization: await organization() });
    const version = await givenVersion({ templateId: template.id });
    await admin().templates.promote({ template: template.id, id: version.id });
    expect((await member().templates.get({ template: template.id })).active_version_id).toBe(version.id);
    const [row] = await prisma.auditLog.findMany({ where: { resourceId: template.id } });
    expect(row).toMatchObject({
      action: 'write',
      diff: { active_version_id: { old: template.activeVersionId, new: version.id, secret: false } },
    });
  });

  test('unknown, foreign, archived and unimported versions are refused', async () => {
    const { template } = await make.template({ organization: await organization() });
    const promote = (id: string) => admin().templates.promote({ template: template.id, id });
    await expect(promote(newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(promote((await givenVersion()).id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(promote((await givenVersion({ templateId: template.id, archived: true })).id)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    for (const status of ['pending', 'running', 'failed', 'canceled'] as const) {
      await expect(promote((await givenVersion({ templateId: template.id, status })).id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  test('notifies the watchers of every workspace, with as many statements for many workspaces as for one', async () => {
    const organizationRow = await organization();
    const promoted = async (workspaces: number) => {
      const { template } = await make.template({ organization: organizationRow });
      const ids: string[] = [];
      for (let made = 0; made < workspaces; made += 1) {
        const { workspace } = await make.workspace({ template, organization: organizationRow });
        ids.push(workspace.id);
      }
      const version = await givenVersion({ templateId: template.id });
      const told = new Set<string>();
      const unsubscribe = bus.subscribe(workspaceChannel, ({ workspace_id, kind }) => {
        if (kind === 'template') told.add(workspace_id);
      });
      const statements = await countStatements(() => admin().templates.promote({ template: template.id, id: version.id }));
      await vi.waitFor(() => expect(told).toEqual(new Set(ids)), { timeout: 20_000 });
      unsubscribe();
      return statements;
    };
    await promoted(1);
    expect(await promoted(8)).toBe(await promoted(1));
  });

  test('who may only use a template may not', async () => {
    const { template } = await make.template({ organization: await organization() });
    const version = await givenVersion({ templateId: template.id });
    await expect(member().templates.promote({ template: template.id, id: version.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await prisma.auditLog.findMany({ where: { resourceId: template.id } })).toMatchObject([{ statusCode: 403, diff: {} }]);
  });
});

describe('starter templates', () => {
  test('are listed with what their README says, always under the same id', async () => {
    const [example, ...others] = await admin().templates.examples({});
    expect(others).toEqual([]);
    expect(example).toMatchObject({
      name: 'Go service',
      description: 'A small service',
      icon: '/icon/go.svg',
      tags: ['go'],
      markdown: '# Go\n',
      variables: [{ name: 'region', type: 'string', description: 'Where it runs.', sensitive: false }],
    });
    expect(await admin().templates.examplesByOrganization({ organization: organizationId })).toEqual([example]);
    await expect(member().templates.examples({})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('say which a connected provisioner can import, and what the others lack', async () => {
    const [before] = await admin().templates.examplesByOrganization({ organization: organizationId });
    expect(before).toMatchObject({ available: false, unavailable_reason: expect.stringContaining('Start a provisioner') });
    const daemon = { sessionId: newId(), lastSeenAt: clock.now(), provisioners: ['process'] };
    await prisma.provisionerDaemon.create({
      data: { ...daemon, id: newId(), organizationId, name: 'tagged', tags: { scope: 'organization', owner: '', gpu: 'yes' } },
    });
    const [tagged] = await admin().templates.examplesByOrganization({ organization: organizationId });
    expect(tagged).toMatchObject({ available: false, unavailable_reason: expect.stringContaining('tags') });
    await prisma.provisionerDaemon.create({
      data: { ...daemon, id: newId(), organizationId, name: 'plain', tags: { scope: 'organization', owner: '' } },
    });
    for (const [example] of [
      await admin().templates.examples({}),
      await admin().templates.examplesByOrganization({ organization: organizationId }),
    ]) {
      expect(example).toMatchObject({ available: true, unavailable_reason: '' });
    }
    await prisma.provisionerDaemon.deleteMany({ where: { organizationId } });
  });

  test('that ship begin with those that need nothing of the host', async () => {
    const templatesDir = join(import.meta.dirname, '../../../../templates');
    const shipped = await readExamples({ ...services, settings: { ...services.settings, templatesDir } });
    expect(shipped.map(({ slug }) => slug)).toEqual(['shell', 'node-web', 'python', 'container', 'terraform']);
  });

  test('that ship name every variable that their import needs a value for', async () => {
    const templatesDir = join(import.meta.dirname, '../../../../templates');
    const shipped = await readExamples({ ...services, settings: { ...services.settings, templatesDir } });
    for (const { slug, folder, variables } of shipped) {
      const required: string[] = [];
      for (const file of (await readdir(folder)).filter((name) => name === 'berth.yaml' || name.endsWith('.tf'))) {
        const text = await readFile(join(folder, file), 'utf8');
        if (file === 'berth.yaml') {
          const { variables: declared = [] } = Declared.parse(parse(text));
          required.push(...declared.filter((variable) => variable.default === undefined).map(({ name }) => name));
        }
        for (const [block, name = ''] of file.endsWith('.tf') ? text.matchAll(/^variable "(\w+)" \{\n[\s\S]*?^\}/gm) : []) {
          if (!/^ {2}default\s*=/m.test(block)) required.push(name);
        }
      }
      expect(variables.map(({ name }) => name).toSorted(), slug).toEqual(required.toSorted());
    }
  });

  test('install with values for the variables that their import needs', async () => {
    const values = [{ name: 'region', value: 'north' }];
    const template = await admin().templates.installExample({
      organization: organizationId,
      example_id: 'go-service',
      name: 'go-north',
      user_variable_values: values,
    });
    const { job } = await admin().templateVersions.get({ templateversion: template.active_version_id });
    const { sealedInput } = await prisma.provisionerJob.findUniqueOrThrow({ where: { id: job.id }, select: { sealedInput: true } });
    expect(openVariableValues(services, job.id, sealedInput)).toEqual(values);
  });

  test('install in one step: a template whose version is queued for import', async () => {
    const template = await admin().templates.installExample({ organization: organizationId, example_id: 'go-service' });
    expect(template).toMatchObject({ name: 'go-service', display_name: 'Go service', description: 'A small service' });
    const version = await admin().templateVersions.get({ templateversion: template.active_version_id });
    expect(version).toMatchObject({ template_id: template.id, readme: '# Go\n', job: { status: 'pending' } });
    const rows = await prisma.auditLog.findMany({ where: { organizationId }, orderBy: { time: 'asc' } });
    expect(rows.map(({ resourceType, action }) => [resourceType, action])).toEqual([
      ['template_version', 'create'],
      ['template_version', 'write'],
      ['template', 'create'],
    ]);
    await expect(admin().templates.installExample({ organization: organizationId, example_id: 'nothing' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(member().templates.installExample({ organization: organizationId, example_id: 'go-service' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
