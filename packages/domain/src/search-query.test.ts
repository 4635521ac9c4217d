import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { WorkspaceStatus } from './enums.ts';
import type { AnySearchSpec } from './search-query.ts';
import { lexSearch } from './search-lexer.ts';
import { parseSearch } from './search-query.ts';
import type { WorkspaceSearch } from './searches.ts';
import { AUDIT_SEARCH, TEMPLATE_SEARCH, USER_SEARCH, WORKSPACE_SEARCH } from './searches.ts';

const fields = (query: string, spec: AnySearchSpec) => {
  const parsed = parseSearch(query, spec);
  return parsed.ok ? [] : parsed.problems.map(({ field }) => field);
};
const read = <S extends AnySearchSpec>(query: string, spec: S) => {
  const parsed = parseSearch(query, spec);
  return parsed.ok ? parsed.search : parsed.problems;
};

describe('the lexer', () => {
  test('splits by spaces and colons outside quotation marks, and keeps the case of values', () => {
    expect(lexSearch('  Owner:Ada   "two Words"  at:"10:30" ')).toEqual({
      ok: true,
      terms: [
        { key: 'owner', value: 'Ada' },
        { key: null, value: 'two Words' },
        { key: 'at', value: '10:30' },
      ],
    });
    expect(lexSearch('')).toEqual({ ok: true, terms: [] });
  });

  test.each(['a:b:c', ':a', 'a:', 'name:"open', 'x'.repeat(5000), 'a\0b'])('reports %j as a problem of q', (query) => {
    const lexed = lexSearch(query);
    expect(lexed.ok ? [] : lexed.problems.map(({ field }) => field)).toEqual(['q']);
  });

  test('reports every problem at once', () => {
    const lexed = lexSearch('a:b:c ok :d e:');
    expect(lexed.ok ? 0 : lexed.problems.length).toBe(3);
  });

  test('finds again what was written with quotation marks', () => {
    const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('"'));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), word), { maxLength: 5 }), (pairs) => {
        const query = pairs.map(([key, value]) => `${key}:"${value}"`).join(' ');
        expect(lexSearch(query)).toEqual({ ok: true, terms: pairs.map(([key, value]) => ({ key, value })) });
      }),
    );
  });
});

test('no text whatever makes a search throw', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 100 }),
      fc.constantFrom<AnySearchSpec>(AUDIT_SEARCH, USER_SEARCH, WORKSPACE_SEARCH, TEMPLATE_SEARCH),
      (query, spec) => {
        expect(typeof parseSearch(query, spec).ok).toBe('boolean');
      },
    ),
  );
});

test('the audit log is searched by what, who and when', () => {
  expect(read('Template action:DELETE username:me resource_target:"My App"', AUDIT_SEARCH)).toEqual({
    resourceType: 'template',
    action: 'delete',
    username: 'me',
    resourceTarget: 'My App',
  });
  expect(read('date_from:2024-02-28 date_to:2024-02-29 build_reason:autostop', AUDIT_SEARCH)).toEqual({
    from: new Date('2024-02-28T00:00:00Z'),
    before: new Date('2024-03-01T00:00:00Z'),
    buildReason: 'autostop',
  });
  expect(read('date_from:"2024-02-28T10:30:00Z" date_to:"2024-02-28T12:00:00+01:00"', AUDIT_SEARCH)).toEqual({
    from: new Date('2024-02-28T10:30:00Z'),
    before: new Date('2024-02-28T11:00:00Z'),
  });
  expect(read('"My App"', AUDIT_SEARCH)).toEqual({ name: 'My App' });
  const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
  expect(read(`request_id:${id.toUpperCase()} id:${id}`, AUDIT_SEARCH)).toEqual({ requestId: id, id });
  expect(fields('date_from:2023-02-29 action:fly resource_id:x resource_type:castle colour:red', AUDIT_SEARCH).toSorted()).toEqual([
    'action',
    'colour',
    'date_from',
    'resource_id',
    'resource_type',
  ]);
});

test('users are searched by text, status, role and last sign of life', () => {
  expect(read('Ada status:active,DORMANT role:owner role:auditor last_seen_after:"2024-01-02T03:04:05.123456789z"', USER_SEARCH)).toEqual({
    search: 'Ada',
    statuses: ['active', 'dormant'],
    roles: ['owner', 'auditor'],
    lastSeenAfter: new Date('2024-01-02T03:04:05.123Z'),
  });
  expect(fields('two words', USER_SEARCH)).toEqual(['search']);
  expect(fields('status:gone', USER_SEARCH)).toEqual(['status']);
  expect(fields('last_seen_after:"2024-02-30T00:00:00Z"', USER_SEARCH)).toEqual(['last_seen_after']);
  expect(fields('last_seen_before:2024-01-01', USER_SEARCH)).toEqual(['last_seen_before']);
});

test('workspaces are searched by owner/name, status, agent and parameters', () => {
  expect(read('ada/Dev status:running has-agent:connected outdated:T param:region=eu,size', WORKSPACE_SEARCH)).toEqual({
    owner: 'ada',
    name: 'Dev',
    status: 'running',
    hasAgent: 'connected',
    outdated: true,
    parameters: [
      { name: 'region', value: 'eu' },
      { name: 'size', value: null },
    ],
  });
  expect(fields('a/b/c', WORKSPACE_SEARCH)).toEqual(['q']);
  expect(fields('a/', WORKSPACE_SEARCH)).toEqual(['q']);
  expect(fields('ada/dev owner:bob', WORKSPACE_SEARCH)).toEqual(['owner']);
  expect(fields('param:a=', WORKSPACE_SEARCH)).toEqual(['param']);
  expect(fields('param:a=b=c', WORKSPACE_SEARCH)).toEqual(['param']);
  expect(fields('dormant:maybe', WORKSPACE_SEARCH)).toEqual(['dormant']);
  expect(fields('name:""', WORKSPACE_SEARCH)).toEqual(['name']);
  expect(fields(`id:${'x,'.repeat(101)}`, WORKSPACE_SEARCH)).toEqual(['id']);
  expectTypeOf<WorkspaceSearch['status']>().toEqualTypeOf<WorkspaceStatus | undefined>();
});

test('templates are searched by name, id and life', () => {
  const id = '6F9619FF-8B86-4D01-B42D-00CF4FC964FF';
  expect(read(`Go exact_name:GO ids:${id} deleted:false deprecated:1`, TEMPLATE_SEARCH)).toEqual({
    name: 'Go',
    exactName: 'GO',
    ids: [id.toLowerCase()],
    deleted: false,
    deprecated: true,
  });
});
