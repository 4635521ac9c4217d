import { newId, NIL_UUID } from '@berth/core';
import { given } from '@berth/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestApi, userPrincipal } from '../testing/index.ts';
import { auditRow, sealAll } from './testing/rows.ts';

const { prisma, callAs, callAsUser, countStatements } = await createTestApi();
const rows = given(prisma);
const auditor = await rows.user({ siteRoles: ['auditor'] });
const api = callAsUser(auditor.id).audit;

/** Finds only the rows of one test. */
function mine(): string {
  return `target-${newId()}`;
}

async function targets(q: string, limit = 100): Promise<string[]> {
  return (await api.list({ q, limit })).audit_logs.map((row) => row.resource_target);
}

describe('a row', () => {
  it('has every field, the diff and additional fields as bytes and readable', async () => {
    const organization = await rows.organization({ icon: '/icon.svg' });
    const user = await rows.user({ memberOf: [organization.id], siteRoles: ['owner'] });
    const target = mine();
    const row = auditRow({
      organizationId: organization.id,
      userId: user.id,
      ip: '192.0.2.7',
      userAgent: 'curl',
      resourceTarget: target,
      diff: { name: { old: 'a', new: 'b', secret: false } },
      additionalFields: { word: 'é' },
    });
    await prisma.auditLog.create({ data: row });
    const { audit_logs: found, count } = await api.list({ q: `resource_target:${target}` });
    expect(count).toBe(1);
    expect(found[0]).toMatchObject({
      id: row.id,
      action: 'create',
      resource_type: 'group',
      resource_target: target,
      resource_link: '',
      description: '{user} created group {target}',
      diff: { name: { old: 'a', new: 'b', secret: false } },
      additional_fields: [...new TextEncoder().encode('{"word":"é"}')],
      additional_fields_decoded: { word: 'é' },
      ip: '192.0.2.7',
      user_agent: 'curl',
      request_id: row.requestId,
      status_code: 201,
      is_deleted: true,
      organization_id: organization.id,
      organization: { id: organization.id, name: organization.name, display_name: organization.displayName, icon: '/icon.svg' },
      user: {
        id: user.id,
        username: user.username,
        organization_ids: [organization.id],
        roles: [{ name: 'owner', display_name: 'Owner', organization_id: '' }],
      },
    });
    expect(found[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('of nobody, about something site-wide, says so', async () => {
    const target = mine();
    await prisma.auditLog.create({ data: auditRow({ resourceTarget: target, userId: newId(), statusCode: 403 }) });
    const { audit_logs: found } = await api.list({ q: `resource_target:${target}` });
    expect(found[0]).toMatchObject({ organization_id: NIL_UUID, organization: null, user: null });
    expect(found[0]?.description).toBe('{user} unsuccessfully attempted to create group {target}');
  });

  it('leads to its resource as that is named now, until it is deleted', async () => {
    const { workspace, owner, build } = await rows.workspace();
    const { template } = await rows.template();
    const app = await prisma.oAuth2ProviderApp.create({ data: { id: newId(), name: mine(), callbackUrl: 'https://example.com' } });
    const requestId = newId();
    const about = (resourceType: string, resourceId: string) =>
      auditRow({ resourceType, resourceId, requestId, resourceTarget: requestId });
    await prisma.auditLog.createMany({
      data: [
        about('workspace', workspace.id),
        about('workspace_build', build.id),
        about('template', template.id),
        about('user', owner.id),
        about('oauth2_provider_app', app.id),
      ],
    });
    const links = async () => {
      const { audit_logs: found } = await api.list({ q: `resource_target:${requestId}` });
      return Object.fromEntries(found.map((row) => [row.resource_type, row.is_deleted ? 'gone' : row.resource_link]));
    };
    expect(await links()).toEqual({
      workspace: `/@${owner.username}/${workspace.name}`,
      workspace_build: `/@${owner.username}/${workspace.name}/builds/1`,
      template: `/templates/${template.name}`,
      user: `/users?filter=${owner.username}`,
      oauth2_provider_app: `/deployment/oauth2-provider/apps/${app.id}`,
    });
    await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: true } });
    await prisma.oAuth2ProviderApp.delete({ where: { id: app.id } });
    expect(await links()).toMatchObject({
      workspace: 'gone',
      workspace_build: 'gone',
      oauth2_provider_app: 'gone',
      user: expect.any(String),
    });
  });
});

describe('the search', () => {
  it('knows people by name, address and `me`', async () => {
    const ada = await rows.user();
    const target = mine();
    await prisma.auditLog.createMany({
      data: [auditRow({ userId: ada.id, resourceTarget: target }), auditRow({ userId: auditor.id, resourceTarget: target })],
    });
    const by = async (term: string) => (await api.list({ q: `resource_target:${target} ${term}` })).audit_logs.map((row) => row.user?.id);
    expect(await by(`username:${ada.username.toUpperCase()}`)).toEqual([ada.id]);
    expect(await by(`email:${ada.email}`)).toEqual([ada.id]);
    expect(await by('username:me')).toEqual([auditor.id]);
    expect(await by('username:nobody-of-this-name')).toEqual([]);
    expect(await by(`username:me email:${ada.email}`)).toEqual([]);
  });

  it('takes whole days in UTC, both ends included', async () => {
    const target = mine();
    const at = (time: string) => auditRow({ time: new Date(time), resourceTarget: target, resourceIcon: time });
    await prisma.auditLog.createMany({
      data: [at('2024-02-28T23:59:59.999Z'), at('2024-02-29T00:00:00Z'), at('2024-02-29T23:59:59.999Z'), at('2024-03-01T00:00:00Z')],
    });
    const { audit_logs: found } = await api.list({ q: `resource_target:${target} date_from:2024-02-29 date_to:2024-02-29` });
    expect(found.map((row) => row.resource_icon)).toEqual(['2024-02-29T23:59:59.999Z', '2024-02-29T00:00:00Z']);
  });

  it('takes free text as a resource type', async () => {
    const target = mine();
    await prisma.auditLog.createMany({
      data: [auditRow({ resourceTarget: target }), auditRow({ resourceTarget: target, resourceType: 'license' })],
    });
    expect((await api.list({ q: `license resource_target:${target}` })).count).toBe(1);
  });

  it('takes any other free text as the name of a thing or of the person who changed it', async () => {
    const person = await rows.user();
    await prisma.auditLog.createMany({
      data: [
        auditRow({ resourceTarget: person.username }),
        auditRow({ resourceTarget: 'by them', userId: person.id }),
        auditRow({ resourceTarget: person.username, userId: person.id }),
        auditRow({ resourceTarget: 'other' }),
      ],
    });
    const found = await api.list({ q: person.username.toUpperCase() });
    expect(found.audit_logs.every((row) => row.user?.id === person.id)).toBe(true);
    expect(found.count).toBe(2);
    expect((await api.list({ q: person.username })).count).toBe(3);
    expect((await api.list({ q: `"${mine()}"` })).count).toBe(0);
  });

  it('takes an organization by id and by name, and refuses a name that nobody has', async () => {
    const organization = await rows.organization();
    const target = mine();
    await prisma.auditLog.createMany({
      data: [auditRow({ organizationId: organization.id, resourceTarget: target }), auditRow({ resourceTarget: target })],
    });
    for (const param of [organization.id, organization.name]) expect(await targets(`organization:${param}`)).toEqual([target]);
    expect(await targets(`organization:${newId()}`)).toEqual([]);
    await expect(api.list({ q: 'organization:no-such-place' })).rejects.toMatchObject({
      cause: { kind: 'invalid', validations: [{ field: 'organization' }] },
    });
  });

  it.each([
    ['action:fly', 'action'],
    ['resource_type:house', 'resource_type'],
    ['house garden', 'name'],
    ['resource_id:1', 'resource_id'],
    ['date_from:2024-02-30', 'date_from'],
    ['build_reason:whim', 'build_reason'],
    ['colour:red', 'colour'],
    ['action:create action:write', 'action'],
    ['a:b:c', 'q'],
  ])('refuses %s', async (q, field) => {
    await expect(api.list({ q })).rejects.toMatchObject({ cause: { kind: 'invalid', validations: [{ field }] } });
  });

  it('refuses text that PostgreSQL cannot hold', async () => {
    await expect(api.list({ q: 'resource_target:a\u0000' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { validations: [{ field: 'q' }] },
    });
  });

  it('refuses a cursor that no page gave', async () => {
    for (const before of ['x', `2024-13-01T00:00:00.000000Z_${newId()}`, `2024-01-01T00:00:00Z_${newId()}`]) {
      await expect(api.page({ before })).rejects.toMatchObject({ cause: { validations: [{ field: 'before' }] } });
    }
  });
});

describe('who reads', () => {
  it('sees the rows of the organizations whose auditor they are, and counts only those', async () => {
    const [here, there] = [await rows.organization(), await rows.organization()];
    const target = mine();
    await prisma.auditLog.createMany({
      data: [here.id, here.id, there.id, null].map((organizationId) =>
        auditRow({ organizationId, resourceTarget: target, resourceType: 'license' }),
      ),
    });
    const local = await rows.user({ memberOf: [{ organizationId: here.id, roles: ['organization-auditor'] }, there.id] });
    for (const q of [`resource_target:${target}`, 'license', '', `organization:${here.name}`, 'action:create']) {
      const page = await callAsUser(local.id).audit.list({ q });
      expect(page.audit_logs.map((row) => row.organization_id)).toEqual([here.id, here.id]);
      expect(page.count).toBe(2);
    }
    expect(await callAsUser(local.id).audit.list({ q: `organization:${there.name}` })).toEqual({ audit_logs: [], count: 0 });
  });

  it('sees nothing without the right to, and no error', async () => {
    const member = await rows.user({ memberOf: [(await rows.organization()).id] });
    await prisma.auditLog.create({ data: auditRow({ userId: member.id }) });
    expect(await callAsUser(member.id).audit.list({})).toEqual({ audit_logs: [], count: 0 });
    expect(await callAsUser(member.id).audit.page({})).toEqual({ audit_logs: [], count: 0, next: null });
  });
});

describe('watching', () => {
  it('tells of rows that were written, and ends with its consumer', async () => {
    const stream = (await api.watch())[Symbol.asyncIterator]();
    const first = stream.next();
    await expect
      .poll(async () => {
        await prisma.auditLog.create({ data: auditRow() });
        return await Promise.race([first, Promise.resolve('nothing yet')]);
      })
      .toEqual({ done: false, value: { news: true } });
    await stream.return?.();
  });

  it('tells nothing to those who may read no audit log', async () => {
    const member = await rows.user();
    const stream = (await callAsUser(member.id).audit.watch())[Symbol.asyncIterator]();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});

describe('pages', () => {
  it('and totals are exact under any filter, offset and cursor, sealed or not', async () => {
    const organizations = [await rows.organization(), await rows.organization()];
    const people = [await rows.user(), await rows.user(), await rows.user()];
    const pick = <T>(items: readonly T[], i: number): T => items[i % items.length] as T;
    const day = Date.parse('2023-05-01T00:00:00Z');
    const all = Array.from({ length: 240 }, (_, i) =>
      auditRow({
        time: new Date(day + ((i * 7919) % 9) * 86_400_000 + ((i * 104_729) % 86_400) * 1000),
        organizationId: i % 3 === 0 ? null : pick(organizations, i).id,
        userId: i % 7 === 0 ? null : pick(people, i * 5).id,
        resourceType: pick(['workspace', 'workspace_build', 'template'], i * 11),
        resourceId: pick(people, i).id,
        resourceTarget: `thing-${i % 4}`,
        action: pick(['create', 'write', 'delete', 'start'], i * 13),
        buildReason: i % 2 === 0 ? pick(['initiator', 'autostart'], i / 2) : null,
      }),
    );
    await prisma.auditLog.createMany({ data: all.slice(0, 170) });
    await sealAll(prisma);
    await prisma.auditLog.createMany({ data: all.slice(170) });
    const sorted = all.toSorted((a, b) => Number(b.time) - Number(a.time) || ((a.id ?? '') < (b.id ?? '') ? 1 : -1));

    const dayText = (offset: number) => new Date(day + offset * 86_400_000).toISOString().slice(0, 10);
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
    const filter = fc.record({
      resource_type: optional(fc.constantFrom('workspace', 'workspace_build', 'template')),
      action: optional(fc.constantFrom('create', 'write', 'delete', 'start', 'stop')),
      build_reason: optional(fc.constantFrom('initiator', 'autostart')),
      resource_target: fc.option(fc.constantFrom('thing-0', 'thing-9'), { nil: undefined, freq: 6 }),
      name: fc.option(fc.constantFrom('thing-1', 'thing-9', ...people.map((person) => person.username)), { nil: undefined, freq: 2 }),
      resource_id: fc.option(fc.constantFrom(...people.map((person) => person.id)), { nil: undefined, freq: 6 }),
      username: optional(fc.constantFrom(...people.map((person) => person.username))),
      organization: optional(fc.constantFrom(...organizations.map((organization) => organization.name))),
      // Always some bound, so that rows of other tests stay out.
      date_from: fc.integer({ min: 0, max: 8 }),
      days: fc.integer({ min: 0, max: 8 }),
      // Hours that the span begins and ends later than its days.
      shifts: fc.option(fc.tuple(fc.nat(30), fc.nat(30)), { nil: undefined, freq: 2 }),
      request_id: fc.option(fc.constantFrom(...all.slice(0, 2).map((row) => row.requestId)), { nil: undefined, freq: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(
        filter,
        fc.nat(60),
        fc.integer({ min: 1, max: 40 }),
        async ({ days, date_from: from, shifts, ...terms }, offset, limit) => {
          const [later, longer] = (shifts ?? [0, 0]).map((hours) => hours * 3_600_000) as [number, number];
          const [start, end] = [day + from * 86_400_000 + later, day + (from + days + 1) * 86_400_000 + longer];
          const expected = sorted.filter(
            (row) =>
              Number(row.time) >= start &&
              Number(row.time) < end &&
              (terms.resource_type ?? row.resourceType) === row.resourceType &&
              (terms.action ?? row.action) === row.action &&
              (terms.build_reason ?? row.buildReason) === row.buildReason &&
              (terms.resource_target ?? row.resourceTarget) === row.resourceTarget &&
              (terms.name === undefined ||
                row.resourceTarget === terms.name ||
                row.userId === people.find((person) => person.username === terms.name)?.id) &&
              (terms.resource_id ?? row.resourceId) === row.resourceId &&
              (terms.request_id ?? row.requestId) === row.requestId &&
              (terms.username === undefined || row.userId === people.find((person) => person.username === terms.username)?.id) &&
              (terms.organization === undefined ||
                row.organizationId === organizations.find(({ name }) => name === terms.organization)?.id),
          );
          const given = Object.entries(terms).filter(([, value]) => value !== undefined);
          const span =
            shifts === undefined
              ? [`date_from:${dayText(from)}`, `date_to:${dayText(from + days)}`]
              : [`date_from:"${new Date(start).toISOString()}"`, `date_to:"${new Date(end).toISOString()}"`];
          const q = [...given.map(([key, value]) => `${key}:${value}`), ...span].join(' ');
          const page = await api.list({ q, limit, offset });
          expect(page.count, q).toBe(expected.length);
          expect(
            page.audit_logs.map((row) => row.id),
            q,
          ).toEqual(expected.slice(offset, offset + limit).map((row) => row.id));

          const walked: string[] = [];
          let before: string | undefined;
          do {
            const slice = await api.page({ q, limit, ...(before === undefined ? {} : { before }) });
            expect(slice.count).toBe(expected.length);
            walked.push(...slice.audit_logs.map((row) => row.id));
            before = slice.next ?? undefined;
          } while (before !== undefined);
          expect(walked, q).toEqual(expected.map((row) => row.id));
        },
      ),
      { numRuns: 80 },
    );
  }, 60_000);

  it('that lie far off are as exact as those near by', async () => {
    const person = await rows.user();
    const day = Date.parse('2022-05-01T00:00:00Z');
    const all = Array.from({ length: 2_700 }, (_, i) => auditRow({ time: new Date(day + i * 400_000), userId: person.id }));
    await prisma.auditLog.createMany({ data: all.slice(0, 1_500) });
    await sealAll(prisma);
    await prisma.auditLog.createMany({ data: all.slice(1_500) });
    const sorted = all.map((row) => row.id).toReversed();
    for (const offset of [0, 1_300, 2_490, 2_500, 2_501, 2_600, 2_690, 2_700, 5_000]) {
      const page = await api.list({ q: `username:${person.username}`, limit: 25, offset });
      expect(page.count).toBe(2_700);
      expect(page.audit_logs.map((row) => row.id)).toEqual(sorted.slice(offset, offset + 25));
    }
  });

  it('take one statement, whatever their size', async () => {
    await prisma.auditLog.createMany({ data: Array.from({ length: 60 }, () => auditRow({ userId: auditor.id, resourceType: 'license' })) });
    const fixed = callAs(await userPrincipal(prisma, auditor.id)).audit;
    expect(await countStatements(() => fixed.list({ q: 'license', limit: 2 }))).toBe(1);
    expect(await countStatements(() => fixed.list({ q: 'license', limit: 60 }))).toBe(1);
  });
});
