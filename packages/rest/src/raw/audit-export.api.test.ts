import { newId } from '@berth/core';
import { given } from '@berth/testing';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { listen } from '../testing/live.ts';

const server = await createTestServer();
const { app, prisma, keyOf, callAsUser } = server;
const rows = given(prisma);
const { url } = await listen(server);
const ours = await rows.organization();
const others = await rows.organization();
const [auditor, member, ofOurs] = await Promise.all([
  rows.user({ siteRoles: ['auditor'] }),
  rows.user(),
  rows.user({ memberOf: [{ organizationId: ours.id, roles: ['organization-auditor'] }] }),
]);

const ACTIONS = ['create', 'write', 'delete'] as const;
const TYPES = ['group', 'template', 'workspace'] as const;
const ROWS = 1_300;

function auditRow(number: number) {
  return {
    id: newId(),
    requestId: newId(),
    resourceType: TYPES[number % 3] ?? 'group',
    resourceId: newId(),
    resourceTarget: `thing-${number % 40}`,
    action: ACTIONS[number % 2] ?? 'create',
    statusCode: 200,
    organizationId: number % 5 === 0 ? ours.id : others.id,
    userId: number % 7 === 0 ? auditor.id : member.id,
    // Many of one instant, so that the order needs the id.
    time: new Date(Date.UTC(2026, 0, 1 + (number % 20))),
  };
}

beforeAll(async () => {
  await prisma.auditLog.createMany({ data: Array.from({ length: ROWS }, (_, number) => auditRow(number)) });
});

const get = async (query: Record<string, string>, userId = auditor.id) =>
  await app.inject({
    url: `/api/v2/audit/export?${new URLSearchParams(query)}`,
    headers: { 'service-session-token': await keyOf(userId) },
  });

const idsOf = (body: string): string[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String(Reflect.get(Object(JSON.parse(line)), 'id')));

/** The rows about exports with this search, oldest first. */
async function recordsOf(search: string) {
  const found = await prisma.auditLog.findMany({ where: { resourceType: 'audit_export' }, orderBy: { time: 'asc' } });
  return found.filter(({ diff, additionalFields }) =>
    JSON.stringify([diff, additionalFields]).includes(JSON.stringify(search).slice(1, -1)),
  );
}

describe('an export', () => {
  it('has exactly the rows of the list, in its order, for any search', async () => {
    const term = fc.record(
      {
        resource_type: fc.constantFrom(...TYPES),
        action: fc.constantFrom(...ACTIONS),
        username: fc.constantFrom(auditor.username, member.username),
        organization: fc.constantFrom(ours.name, others.name),
        date_from: fc.constantFrom('2026-01-03', '2026-01-12'),
        date_to: fc.constantFrom('2026-01-05', '2026-01-18'),
        resource_target: fc.constantFrom('thing-3', 'nothing'),
      },
      { requiredKeys: ['date_to'] },
    );
    await fc.assert(
      fc.asyncProperty(term, fc.constantFrom(auditor.id, ofOurs.id), async (terms, reader) => {
        const q = Object.entries(terms)
          .map(([key, value]) => `${key}:${value}`)
          .join(' ');
        const response = await get({ q }, reader);
        if (response.statusCode === 400) {
          await expect(callAsUser(reader).audit.list({ q })).rejects.toThrow();
          return;
        }
        const { audit_logs: listed, count } = await callAsUser(reader).audit.list({ q, limit: 1000 });
        expect(response.headers['x-total-count']).toBe(String(count));
        const exported = idsOf(response.body);
        expect(exported).toHaveLength(count);
        expect(exported.slice(0, 1000)).toEqual(listed.map(({ id }) => id));
      }),
      { numRuns: 25 },
    );
  });

  it('goes beyond one batch, each row once', async () => {
    const response = await get({ q: 'date_to:2026-02-01' });
    const ids = idsOf(response.body);
    expect(new Set(ids).size).toBe(ROWS);
    expect(ids).toHaveLength(ROWS);
  });

  it('of an organization’s auditor has rows of that organization only', async () => {
    const response = await get({ q: 'date_to:2026-02-01' }, ofOurs.id);
    const organizations = response.body
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).organization_id);
    expect(new Set(organizations)).toEqual(new Set([ours.id]));
  });

  it('as CSV has a head, a name with its time, and no row in a cache', async () => {
    const response = await get({ q: 'resource_target:thing-3 date_to:2026-02-01', format: 'csv' });
    expect(response.headers).toMatchObject({
      'content-type': expect.stringContaining('text/csv'),
      'content-disposition': expect.stringMatching(/^attachment; filename="audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.csv"$/),
      'cache-control': 'no-store',
    });
    expect(response.body.split('\r\n')[0]).toMatch(/^time,user,/);
  });

  it('security: is itself recorded, with its search and its number of rows', async () => {
    const q = 'resource_target:thing-7 date_to:2026-02-01';
    const { headers } = await get({ q, format: 'csv' });
    const [record, ...further] = await recordsOf(q);
    expect(further).toEqual([]);
    expect(record).toMatchObject({ action: 'create', statusCode: 200, userId: auditor.id });
    expect(record?.diff).toMatchObject({
      format: { new: 'csv' },
      search: { new: q },
      rows: { new: Number(headers['x-total-count']) },
    });
  });

  it('security: is refused to who may read no audit log, and the attempt is recorded', async () => {
    const q = `resource_target:${newId()}`;
    expect((await get({ q }, member.id)).statusCode).toBe(403);
    expect(await recordsOf(q)).toMatchObject([{ statusCode: 403, userId: member.id, diff: {} }]);
    expect((await app.inject({ url: '/api/v2/audit/export' })).statusCode).toBe(401);
  });

  it('security: leaves nothing out of its hands when it cannot be recorded', async () => {
    await prisma.$executeRaw`ALTER TABLE audit_logs ADD CONSTRAINT refuse CHECK (resource_type <> 'audit_export') NOT VALID`;
    try {
      const response = await get({ q: 'resource_target:thing-3' });
      expect(response.statusCode).toBe(500);
      expect(response.body).not.toContain('thing-3');
    } finally {
      await prisma.$executeRaw`ALTER TABLE audit_logs DROP CONSTRAINT refuse`;
    }
  });

  it('says what is wrong with a search or a format', async () => {
    const wrong: Record<string, string>[] = [{ q: 'colour:red' }, { format: 'xml' }, { q: 'x'.repeat(1001) }];
    for (const query of wrong) {
      const response = await get(query);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toHaveProperty('validations.0.field');
    }
  });
});

describe('an export that nobody takes', () => {
  it('ends, gives its place back and says how far it came', async () => {
    const q = `date_from:2026-01-01 date_to:2026-02-01`;
    // More than the sockets of both ends hold.
    await prisma.auditLog.createMany({
      data: Array.from({ length: 400 }, (_, number) => ({
        ...auditRow(number),
        diff: { readme: { old: '', new: `${newId()}${'word '.repeat(20_000)}`, secret: false } },
      })),
    });
    const headers = { 'service-session-token': await keyOf(auditor.id) };
    const open = async () => {
      const abort = new AbortController();
      const response = await fetch(`${url}/api/v2/audit/export?${new URLSearchParams({ q })}`, { headers, signal: abort.signal });
      return { abort, response };
    };
    const [first, second] = [await open(), await open()];
    expect([first.response.status, second.response.status]).toEqual([200, 200]);
    const third = await open();
    expect(third.response.status).toBe(429);
    expect(third.response.headers.get('retry-after')).toBe('60');
    first.abort.abort();
    second.abort.abort();
    await vi.waitFor(async () => expect((await recordsOf(q)).filter(({ statusCode }) => statusCode === 499)).toHaveLength(2), 30_000);
    const broken = (await recordsOf(q)).find(({ statusCode }) => statusCode === 499);
    expect(broken?.additionalFields).toMatchObject({ rows: ROWS + 400, rows_written: expect.any(Number) });
    expect(Number(Reflect.get(Object(broken?.additionalFields), 'rows_written'))).toBeLessThan(ROWS + 400);
    expect((await recordsOf(q)).filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
    const again = await get({ q });
    expect(idsOf(again.body)).toHaveLength(ROWS + 400);
  });
});
