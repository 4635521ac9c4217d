import { uniqueName } from '@berth/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScimServer, refusal, somebody } from '../testing/scim/client.ts';

const { create, scim } = await createScimServer();

describe('under hostile input', () => {
  const odd = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom('', '\u0000', '\ud800', '%', '__proto__', 'true', 'False', '9'.repeat(400), 'x'.repeat(3000)),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const names = fc.constantFrom(
    'userName',
    'active',
    'emails',
    'emails[type eq "work"].value',
    'emails[',
    'name',
    'name.givenName',
    'displayName',
    'externalId',
    'members',
    'members[value eq "x"]',
    'id',
    'schemas',
    'Operations',
    '__proto__',
    'constructor',
    'urn:ietf:params:scim:schemas:core:2.0:User:active',
  );
  const value = fc.oneof(
    odd,
    fc.array(odd, { maxLength: 3 }),
    fc.dictionary(names, fc.oneof(odd, fc.array(odd, { maxLength: 2 })), { maxKeys: 3 }),
  );
  const operation = fc.record(
    { op: fc.constantFrom('add', 'Replace', 'REMOVE', 'move', 5), path: fc.oneof(names, odd), value },
    { requiredKeys: [] },
  );
  const resource = fc.dictionary(names, fc.oneof(value, fc.array(value, { maxLength: 2 })), { maxKeys: 5 });
  const body = fc.oneof(resource, fc.record({ Operations: fc.oneof(fc.array(operation, { maxLength: 3 }), odd) }));
  const request = fc.record({ method: fc.constantFrom('POST', 'PUT', 'PATCH'), kind: fc.constantFrom('Users', 'Groups'), body });

  it('every request works or is refused in the form of SCIM, and none fails', async () => {
    const ids = {
      Users: await create(somebody()),
      Groups: (await scim('POST', '/Groups', { displayName: uniqueName('group') })).body['id'] ?? '',
    };
    await fc.assert(
      fc.asyncProperty(request, async ({ method, kind, body: sent }) => {
        const answer = await scim(method, method === 'POST' ? `/${kind}` : `/${kind}/${ids[kind]}`, sent);
        expect([200, 201, 400, 409, 413]).toContain(answer.status);
        if (answer.status >= 400) expect(answer).toMatchObject(refusal(answer.status));
      }),
      { seed: 7, numRuns: 300 },
    );
    expect(Reflect.ownKeys(Object.prototype)).not.toContain('polluted');
  });

  it('every filter and page works or is refused, and none fails or takes long', async () => {
    const word = fc.constantFrom(
      'userName',
      'active',
      'emails',
      '[',
      ']',
      '(',
      ')',
      'and',
      'or',
      'not',
      'eq',
      'co',
      'pr',
      'gt',
      '"x"',
      '"',
      '5',
      'true',
      'null',
      '.value',
      '\n',
    );
    const filter = fc.oneof(
      fc.array(word, { maxLength: 15 }).map((words) => words.join(' ')),
      fc.string({ maxLength: 200 }),
    );
    await fc.assert(
      fc.asyncProperty(filter, fc.oneof(odd, fc.integer()), async (text, number) => {
        const query = new URLSearchParams({ filter: text, startIndex: String(number), count: String(number), attributes: String(number) });
        const answer = await scim('GET', `/${text.length % 2 === 0 ? 'Users' : 'Groups'}?${query.toString()}`);
        expect([200, 400]).toContain(answer.status);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
