import { newId } from '@berth/core';
import { procedureFacts } from '@berth/api/server';
import { given, uniqueName } from '@berth/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { createFixture } from '../testing/matrix/fixture.ts';
import { PRINCIPALS, credentialsFor } from '../testing/matrix/principals.ts';
import { entraId } from '../testing/scim/entra-id.ts';
import type { Person } from '../testing/scim/forms.ts';
import { patch } from '../testing/scim/forms.ts';
import { jumpCloud } from '../testing/scim/jumpcloud.ts';
import { okta } from '../testing/scim/okta.ts';
import { oneLogin } from '../testing/scim/onelogin.ts';

const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
const TOKEN = 'a-scim-token-of-this-test';
const server = await createTestServer({ settings: { scimToken: TOKEN } });
const { prisma, app, keyOf } = server;
const rows = given(prisma);
const standard = await prisma.organization.findFirstOrThrow({ where: { isDefault: true } });

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: Record<string, never>;
}

async function scim(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  authorization = `Bearer ${TOKEN}`,
): Promise<Answer> {
  const response = await app.inject({
    method,
    url: path.startsWith('/') ? `/scim/v2${path}` : path,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }) },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const type = response.headers['content-type'];
  return {
    status: response.statusCode,
    type: typeof type === 'string' ? type : undefined,
    body: response.body === '' ? {} : response.json(),
  };
}

function somebody(overrides: Partial<Person> = {}): Person {
  const name = uniqueName('ada');
  return {
    userName: `${name}@example.com`,
    email: `${name}@example.com`,
    givenName: 'Ada',
    familyName: 'Lovelace',
    externalId: newId(),
    ...overrides,
  };
}

const refusal = (status: number, scimType?: string) => ({
  status,
  type: MEDIA_TYPE,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: expect.stringMatching(/./),
    ...(scimType === undefined ? {} : { scimType }),
  },
});

const create = async (person: Person): Promise<string> => (await scim('POST', '/Users', okta.create(person))).body['id'] ?? '';

describe.each([
  ['Entra ID', entraId],
  ['Okta', okta],
  ['OneLogin', oneLogin],
  ['JumpCloud', jumpCloud],
])('%s', (provider, forms) => {
  it('provisions, updates, deactivates and reactivates an account by its own request forms', async () => {
    const person = somebody();
    expect(await scim('GET', `/Users${forms.find(person)}`)).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });
    const made = await scim('POST', '/Users', forms.create(person));
    expect(made).toMatchObject({
      status: 200,
      type: MEDIA_TYPE,
      body: {
        userName: person.userName,
        externalId: person.externalId,
        active: true,
        displayName: 'Ada Lovelace',
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ value: person.email, type: 'work', primary: true }],
      },
    });
    const id: string = made.body['id'] ?? '';
    expect(await scim('GET', `/Users${forms.find(person)}`)).toMatchObject({ body: { totalResults: 1, Resources: [{ id }] } });
    expect(
      await prisma.user.findUniqueOrThrow({
        where: { id },
        select: { loginType: true, status: true, passwordHash: true, memberships: true },
      }),
    ).toMatchObject({
      loginType: 'oidc',
      status: 'dormant',
      passwordHash: null,
      memberships: [{ organizationId: standard.id }],
    });

    const changed = { ...person, familyName: 'King', email: `new-${person.email}` };
    const update = forms.update(changed);
    expect(await scim(update.method, `/Users/${id}`, update.body)).toMatchObject({
      status: 200,
      body: { id, name: { familyName: 'King' }, emails: [{ value: changed.email }], userName: person.userName },
    });

    const key = await keyOf(id);
    const asks = async () => (await server.rest({ method: 'GET', path: '/users/me', key })).status;
    expect(await asks()).toBe(200);
    const off = forms.deactivate(changed);
    expect(await scim(off.method, `/Users/${id}`, off.body)).toMatchObject({ status: 200, body: { active: false } });
    expect(await asks()).toBe(401);
    const on = forms.reactivate(changed);
    expect(await scim(on.method, `/Users/${id}`, on.body)).toMatchObject({ status: 200, body: { active: true } });
    expect((await prisma.user.findUniqueOrThrow({ where: { id } })).status).toBe('dormant');

    const recorded = await prisma.auditLog.findMany({ where: { resourceId: id }, orderBy: { time: 'asc' } });
    // The account's own first use is recorded too.
    const written = recorded.filter((row) => JSON.stringify(row.additionalFields).includes('"scim"'));
    expect(written.map(({ action, statusCode }) => `${action} ${statusCode}`)).toEqual([
      'create 200',
      'write 200',
      'write 200',
      'write 200',
    ]);
    for (const row of written) expect(row).toMatchObject({ userId: null, additionalFields: { automatic_subsystem: 'scim' } });
    expect(await scim('DELETE', `/Users/${id}`)).toMatchObject({ status: 204 });
    expect(await prisma.user.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'suspended',
      deleted: false,
      scimExternalId: null,
    });
  });

  it('keeps groups and their members by its own request forms', async () => {
    const userId = await create(somebody());
    const name = `${provider} Sailors & Co`;
    expect(await scim('GET', `/Groups${forms.findGroup(name)}`)).toMatchObject({ status: 200, body: { totalResults: 0 } });
    const made = await scim('POST', '/Groups', forms.createGroup(name));
    expect(made).toMatchObject({ status: 201, body: { displayName: name, members: [] } });
    const id: string = made.body['id'] ?? '';
    expect(await prisma.group.findUniqueOrThrow({ where: { id } })).toMatchObject({ source: 'oidc', organizationId: standard.id });
    expect(await scim('GET', `/Groups${forms.findGroup(name)}`)).toMatchObject({ body: { totalResults: 1, Resources: [{ id }] } });

    const add = forms.addMember(userId);
    expect(await scim(add.method, `/Groups/${id}`, add.body)).toMatchObject({ status: 200, body: { members: [{ value: userId }] } });
    expect(await scim('GET', `/Users/${userId}`)).toMatchObject({ body: { groups: [{ value: id, display: name }] } });
    expect((await scim('GET', `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty('members');
    const remove = forms.removeMember(userId);
    expect(await scim(remove.method, `/Groups/${id}`, remove.body)).toMatchObject({ status: 200, body: { members: [] } });
    const rename = forms.renameGroup(`${name}mpany`, id);
    expect(await scim(rename.method, `/Groups/${id}`, rename.body)).toMatchObject({
      status: 200,
      body: { id, displayName: `${name}mpany` },
    });
    expect(await scim('DELETE', `/Groups/${id}`)).toMatchObject({ status: 204 });
    expect(await scim('GET', `/Groups/${id}`)).toMatchObject(refusal(404));
    const written = await prisma.auditLog.findMany({ where: { resourceId: id }, orderBy: { time: 'asc' } });
    expect(written.map(({ action }) => action)).toEqual(['create', 'write', 'write', 'write', 'delete']);
  });
});

describe('the door', () => {
  it('is not there without a token in the settings, as JSON', async () => {
    const off = await createTestServer();
    for (const url of ['/scim/v2/ServiceProviderConfig', '/scim/v2/Users', '/api/v2/scim/v2/Users']) {
      const response = await off.app.inject({ method: 'GET', url, headers: { authorization: 'Bearer ' } });
      expect([response.statusCode, response.headers['content-type']]).toEqual([404, MEDIA_TYPE]);
    }
  });

  it('asks every address but the configuration for the token, and takes no other', async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer wrong',
      `Basic ${TOKEN}`,
      `${TOKEN}x`,
      await keyOf((await rows.user({ siteRoles: ['owner'] })).id),
    ]) {
      for (const path of ['/Users', '/Groups', '/Schemas', '/ResourceTypes', `/Users/${newId()}`]) {
        expect(await scim('GET', path, undefined, authorization), `${authorization} ${path}`).toMatchObject(refusal(401));
      }
    }
    expect(await scim('GET', '/ServiceProviderConfig', undefined, '')).toMatchObject({
      status: 200,
      body: { patch: { supported: true }, filter: { supported: true } },
    });
    for (const authorization of [TOKEN, `bearer ${TOKEN}`, `BEARER  ${TOKEN}`]) {
      expect((await scim('GET', '/Users', undefined, authorization)).status).toBe(200);
    }
  });

  it('gives the token no other right: REST, RPC and SCIM over RPC do not know it', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'service-session-token': TOKEN };
    for (const url of ['/api/v2/users', '/api/rpc/users.list?input={}', '/api/rpc/scim.listUsers?input={}', '/api/v2/audit']) {
      expect((await app.inject({ method: 'GET', url, headers })).statusCode, url).toBe(401);
      expect((await app.inject({ method: 'GET', url, headers: { authorization: headers.authorization } })).statusCode, url).toBe(401);
    }
  });

  it('takes none of those who sign in: each SCIM procedure refuses every kind of caller over RPC', async () => {
    const fixture = await createFixture(server);
    const credentials = await credentialsFor(server, fixture);
    const procedures = procedureFacts().filter(({ path, meta }) => path.startsWith('scim.') && meta.permission !== 'public');
    expect(procedures.length).toBe(16);
    for (const { path, type } of procedures) {
      for (const principal of PRINCIPALS) {
        const headers = { ...credentials[principal], 'content-type': 'application/json' };
        const input = JSON.stringify({ id: newId(), resource: {} });
        const response =
          type === 'query'
            ? await app.inject({ method: 'GET', url: `/api/rpc/${path}?input=${encodeURIComponent(input)}`, headers })
            : await app.inject({ method: 'POST', url: `/api/rpc/${path}`, headers, payload: input });
        expect(response.statusCode, `${principal} ${path}`).toBe(401);
      }
    }
  });

  it('is the same under /api/v2, and answers unknown addresses and bodies in its own form', async () => {
    const response = await app.inject({
      method: 'GET',
      url: '/api/v2/scim/v2/Users?count=1',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, MEDIA_TYPE]);
    expect(await scim('GET', '/Nothing')).toMatchObject(refusal(404));
    expect(await scim('PUT', '/Users', {})).toMatchObject(refusal(404));
    expect(await scim('POST', '/Users', '{"userName": ')).toMatchObject(refusal(400, 'invalidSyntax'));
    expect(await scim('POST', '/Users', '[1]')).toMatchObject(refusal(400, 'invalidSyntax'));
    expect(await scim('POST', '/Users', { userName: 'a\u0000b' })).toMatchObject(refusal(400));
    expect(await scim('POST', '/Users', JSON.stringify({ userName: 'x'.repeat(3_000_000) }))).toMatchObject(refusal(413));
  });

  it('describes its schemas and resource types, as a list and one by one', async () => {
    for (const [path, count] of [
      ['/Schemas', 2],
      ['/ResourceTypes', 2],
    ] as const) {
      const list = await scim('GET', path);
      expect(list).toMatchObject({ status: 200, body: { totalResults: count } });
      for (const { id } of list.body['Resources'] as unknown as { id: string }[]) {
        expect(await scim('GET', `${path}/${id}`)).toMatchObject({ status: 200, body: { id } });
      }
      expect(await scim('GET', `${path}/nothing`)).toMatchObject(refusal(404));
    }
  });
});

describe('creating a user', () => {
  it('takes over the account of the same address, keeps its way to sign in, and lets it in again', async () => {
    const local = await rows.user({ status: 'suspended', name: 'Grace' });
    const person = somebody({ email: local.email.toUpperCase(), userName: 'grace.h' });
    expect(await scim('POST', '/Users', okta.create(person))).toMatchObject({
      status: 200,
      body: { id: local.id, userName: 'grace.h', externalId: person.externalId, active: true, displayName: 'Grace' },
    });
    expect(await prisma.user.findUniqueOrThrow({ where: { id: local.id } })).toMatchObject({
      loginType: 'password',
      status: 'dormant',
      email: local.email,
    });
    expect(await prisma.auditLog.findMany({ where: { resourceId: local.id }, select: { action: true } })).toEqual([{ action: 'write' }]);
    expect((await scim('POST', '/Users', okta.create(person))).body['id']).toBe(local.id);
    expect(await prisma.auditLog.count({ where: { resourceId: local.id } })).toBe(1);
  });

  it('that would be two accounts at once is a conflict', async () => {
    const [one, two] = [somebody(), somebody()];
    await create(one);
    await create(two);
    expect(await scim('POST', '/Users', okta.create({ ...one, email: two.email }))).toMatchObject(refusal(409, 'uniqueness'));
    expect(await scim('POST', '/Users', okta.create({ ...one, externalId: newId() }))).toMatchObject(refusal(409, 'uniqueness'));
  });

  it('many times at once makes one account', async () => {
    const person = somebody();
    const answers = await Promise.all([1, 2, 3, 4].map(() => scim('POST', '/Users', okta.create(person))));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await prisma.user.count({ where: { scimExternalId: person.externalId } })).toBe(1);
  });

  it('without a name or an address is refused; a user name that is an address is one', async () => {
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
    expect(await scim('POST', '/Users', { schemas, emails: [{ value: 'x@example.com' }] })).toMatchObject(refusal(400, 'invalidValue'));
    expect(await scim('POST', '/Users', { schemas, userName: 'nameless' })).toMatchObject(refusal(400, 'invalidValue'));
    expect(await scim('POST', '/Users', { schemas, userName: 'x', emails: [{ value: 'no address' }] })).toMatchObject(
      refusal(400, 'invalidValue'),
    );
    expect(await scim('POST', '/Users', { schemas, userName: 'x', emails: [{ value: 'y@example.com' }], active: 'maybe' })).toMatchObject(
      refusal(400, 'invalidValue'),
    );
    const { userName } = somebody();
    expect(await scim('POST', '/Users', { schemas, USERNAME: userName, active: false })).toMatchObject({
      status: 200,
      body: { active: false, emails: [{ value: userName }] },
    });
  });
});

describe('changing a user', () => {
  it('by a plain user object changes active alone, and answers the user with the SCIM attributes', async () => {
    const person = somebody();
    const id = await create(person);
    expect(await scim('PATCH', `/Users/${id}`, { schemas: [], userName: 'other', active: false })).toMatchObject({
      status: 200,
      type: MEDIA_TYPE,
      body: { id, status: 'suspended', active: false, userName: person.userName, login_type: 'oidc', email: person.email },
    });
    expect(await scim('PATCH', `/Users/${id}`, { active: true })).toMatchObject({ status: 200, body: { status: 'dormant' } });
    await prisma.user.update({ where: { id }, data: { status: 'active' } });
    expect(await scim('PATCH', `/Users/${id}`, { active: true })).toMatchObject({ status: 200, body: { status: 'active' } });
  });

  it('never suspends the last owner', async () => {
    const owners = await prisma.user.findMany({ where: { siteRoles: { has: 'owner' }, status: { not: 'suspended' }, deleted: false } });
    await prisma.user.updateMany({ where: { id: { in: owners.map(({ id }) => id) } }, data: { siteRoles: [] } });
    const owner = await rows.user({ siteRoles: ['owner'] });
    for (const [method, body] of [
      ['PATCH', { active: false }],
      ['DELETE', undefined],
    ] as const) {
      expect(await scim(method, `/Users/${owner.id}`, body)).toMatchObject(refusal(409));
    }
    expect((await prisma.user.findUniqueOrThrow({ where: { id: owner.id } })).status).toBe('active');
    await rows.user({ siteRoles: ['owner'] });
    expect(await scim('PATCH', `/Users/${owner.id}`, { active: false })).toMatchObject({ status: 200 });
  });

  it('leaves the name and the address of those who have a password', async () => {
    const local = await rows.user({ name: 'Grace Hopper' });
    const change = patch({ op: 'replace', value: { displayName: 'Mallory', emails: [{ value: 'mallory@example.com' }] } });
    expect(await scim('PATCH', `/Users/${local.id}`, change.body)).toMatchObject({
      status: 200,
      body: { displayName: 'Grace Hopper', emails: [{ value: local.email }] },
    });
  });

  it.each([
    ['no operations', { schemas: [], Operations: [] }, 'invalidSyntax'],
    ['an unknown operation', patch({ op: 'move', path: 'active', value: true }).body, 'invalidSyntax'],
    ['a removal without a path', patch({ op: 'remove' }).body, 'noTarget'],
    ['a path with half a filter', patch({ op: 'replace', path: 'emails[type eq "work"', value: 'x' }).body, 'invalidPath'],
    [
      'a path with a filter that cannot be read',
      patch({ op: 'replace', path: 'emails[type is "work"].value', value: 'x' }).body,
      'invalidPath',
    ],
    ['a text as the value of no path', patch({ op: 'replace', value: 'x' }).body, 'invalidValue'],
    ['a flag that is none', patch({ op: 'replace', path: 'active', value: 'perhaps' }).body, 'invalidValue'],
    ['no value', patch({ op: 'replace', path: 'userName' }).body, 'invalidValue'],
    ['an id', patch({ op: 'replace', path: 'id', value: 'x' }).body, 'mutability'],
    ['a removed user name', patch({ op: 'remove', path: 'userName' }).body, 'mutability'],
  ])('refuses %s', async (_, body, scimType) => {
    expect(await scim('PATCH', `/Users/${await create(somebody())}`, body)).toMatchObject(refusal(400, scimType));
  });

  it('passes over what is not kept, and what would poison an object', async () => {
    const id = await create(somebody());
    const change = patch(
      { op: 'add', path: 'title', value: 'Captain' },
      { op: 'replace', value: JSON.parse('{"__proto__.polluted": "yes", "constructor.prototype.polluted": "yes", "photos": []}') },
      { op: 'replace', path: 'emails[type eq "home"].value', value: 'home@example.com' },
      { op: 'remove', path: 'emails[type eq "work"]' },
    );
    const before = (await scim('GET', `/Users/${id}`)).body;
    expect(await scim('PATCH', `/Users/${id}`, change.body)).toMatchObject({ status: 200, body: before });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('that is not there is not found, and an id that is none is refused', async () => {
    expect(await scim('PATCH', `/Users/${newId()}`, { active: true })).toMatchObject(refusal(404));
    expect(await scim('PATCH', '/Users/nobody', { active: true })).toMatchObject(refusal(400, 'invalidValue'));
    expect(await scim('GET', '/Users/nobody')).toMatchObject(refusal(404));
    expect(await scim('DELETE', `/Users/${(await rows.user({ deleted: true })).id}`)).toMatchObject(refusal(404));
  });
});

describe('listing users', () => {
  const find = (filter: string, more = '') => scim('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`);

  it('finds by each attribute, whatever its case, and never by its pattern characters', async () => {
    const person = somebody({ email: `${uniqueName('a_b')}@example.com` });
    const id = await create(person);
    const name = person.userName;
    for (const filter of [
      `userName eq "${name.toUpperCase()}"`,
      `USERNAME Eq "${name}"`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${name}"`,
      `externalId eq "${person.externalId}"`,
      `id eq "${id}"`,
      `emails.value eq "${person.email}"`,
      `emails[type eq "work"].value eq "${person.email}"`,
      `emails[type eq "work" and value eq "${person.email}"]`,
      `userName sw "${name.slice(0, -2)}" and active eq true and meta.created gt "2000-01-01T00:00:00Z"`,
      `(userName eq "nobody" or externalId eq "${person.externalId}") and not (active eq false)`,
      `userName eq "${name}" and externalId pr`,
    ]) {
      expect(await find(filter), filter).toMatchObject({ status: 200, body: { totalResults: 1, itemsPerPage: 1, Resources: [{ id }] } });
    }
    for (const filter of [
      `userName eq "%"`,
      `userName eq "${name.replace('@', '_')}"`,
      `emails.value eq "${person.email.replace('a_b', 'axb')}"`,
      `userName eq "${name}" and active eq "false"`,
      `emails[type eq "home"].value eq "${person.email}"`,
      `userName eq "' OR 1=1 --"`,
      `id eq "not an id"`,
      `userName eq "x\\" or userName pr or userName eq \\"y"`,
    ]) {
      expect(await find(filter), filter).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });
    }
  });

  it.each([
    'userName',
    'userName eq',
    'userName eq nobody',
    'userName is "x"',
    'userName eq "x" and',
    'userName eq "x" constructor userName eq "y"',
    'password eq "x"',
    '__proto__ pr',
    'active co "t"',
    'active eq "maybe"',
    'userName gt "a"',
    'userName eq 5',
    'meta.created gt "yesterday"',
    'id co "a"',
    'phoneNumbers[type eq "work"].value eq "1"',
    '"userName" eq "x"',
    `userName eq "${'\n'.repeat(30)}`,
    `userName eq "${'x'.repeat(990)}"`,
    `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
    Array.from({ length: 60 }, () => 'active pr').join(' or '),
  ])('refuses the filter %s', async (filter) => {
    const answer = await find(filter);
    expect(answer.status).toBe(400);
    if (filter.length <= 1000) expect(answer).toMatchObject(refusal(400, 'invalidFilter'));
  });

  it('pages from 1, at most 200 at once, and reads odd numbers as the nearest fit', async () => {
    const people = [somebody(), somebody(), somebody()];
    for (const person of people) await create(person);
    const all = people.map(({ userName }) => `userName eq "${userName}"`).join(' or ');
    const names = (answer: Answer) => (answer.body['Resources'] as unknown as { userName: string }[]).map(({ userName }) => userName);
    const everyone = names(await find(all));
    expect(everyone.toSorted()).toEqual(people.map(({ userName }) => userName).toSorted());
    for (const [index, name] of everyone.entries()) expect(names(await find(all, `&startIndex=${index + 1}&count=1`))).toEqual([name]);
    expect(await find(all, '&startIndex=0&count=-5')).toMatchObject({
      body: { totalResults: 3, startIndex: 1, itemsPerPage: 0, Resources: [] },
    });
    expect(await find(all, '&count=100000&startIndex=4')).toMatchObject({
      status: 200,
      body: { totalResults: 3, startIndex: 4, Resources: [] },
    });
    expect(names(await find(all, '&startIndex=abc&count='))).toEqual([]);
    const projected = (await find(all, '&attributes=userName,emails.value&count=1')).body['Resources']?.[0] ?? {};
    expect(Object.keys(projected).toSorted()).toEqual(['emails', 'id', 'schemas', 'userName']);
  });
});

describe('groups', () => {
  const group = (displayName: string, members: string[] = []) => ({
    schemas: [],
    displayName,
    members: members.map((value) => ({ value })),
  });

  it('with a name that the organization has are a conflict, also with groups that people made', async () => {
    const local = await rows.group({ organizationId: standard.id });
    expect(await scim('POST', '/Groups', group(local.name.toUpperCase()))).toMatchObject(refusal(409, 'uniqueness'));
    expect(await scim('POST', '/Groups', group('Everyone'))).toMatchObject(refusal(409, 'uniqueness'));
    expect(await scim('POST', '/Groups', group('Deck Crew'))).toMatchObject({ status: 201 });
    expect(await scim('POST', '/Groups', group('deck crew'))).toMatchObject(refusal(409, 'uniqueness'));
    expect(await scim('POST', '/Groups', group('Deck-Crew!'))).toMatchObject({ status: 201, body: { displayName: 'Deck-Crew!' } });
  });

  it('that people made, of other organizations, and Everyone are not there', async () => {
    const elsewhere = await rows.organization();
    const hidden = [
      (await rows.group({ organizationId: standard.id })).id,
      (await rows.group({ organizationId: elsewhere.id, source: 'oidc' })).id,
      standard.id,
    ];
    for (const id of hidden) {
      expect(await scim('GET', `/Groups/${id}`)).toMatchObject(refusal(404));
      expect(await scim('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: [] }).body)).toMatchObject(refusal(404));
      expect(await scim('DELETE', `/Groups/${id}`)).toMatchObject(refusal(404));
    }
  });

  it('take members of the organization only, and no more than 1,000 at once', async () => {
    const made = await scim('POST', '/Groups', group('Bounded'));
    const path = `/Groups/${made.body['id'] ?? ''}`;
    const stranger = await rows.user();
    const add = (...ids: string[]) =>
      scim('PATCH', path, patch({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) }).body);
    expect(await add(stranger.id)).toMatchObject(refusal(400, 'invalidValue'));
    expect(await add('no id')).toMatchObject(refusal(400, 'invalidValue'));
    expect(await add(...Array.from({ length: 1001 }, () => newId()))).toMatchObject(refusal(413, 'tooMany'));
    expect(await scim('GET', path)).toMatchObject({ body: { members: [] } });
  });

  it('are replaced whole by PUT, and lose all members by a removal without a value', async () => {
    const [one, two] = [await create(somebody()), await create(somebody())];
    const made = await scim('POST', '/Groups', group('Replaced', [one]));
    expect(made).toMatchObject({ status: 201, body: { members: [{ value: one }] } });
    const path = `/Groups/${made.body['id'] ?? ''}`;
    expect(await scim('PUT', path, group('Replaced', [two]))).toMatchObject({ status: 200, body: { members: [{ value: two }] } });
    expect((await scim('GET', `/Groups?filter=${encodeURIComponent(`members[value eq "${two}"]`)}`)).body).toMatchObject({
      totalResults: 1,
    });
    expect(await scim('PATCH', path, patch({ op: 'remove', path: 'members' }).body)).toMatchObject({ status: 200, body: { members: [] } });
    expect(await scim('PUT', path, { schemas: [] })).toMatchObject(refusal(400, 'invalidValue'));
  });

  it('give and take what their members may do at once', async () => {
    const id = await create(somebody());
    const made = await scim('POST', '/Groups', group('Readers', [id]));
    const groupId: string = made.body['id'] ?? '';
    const key = await keyOf(id);
    const reads = async () => (await server.rest({ method: 'GET', path: `/groups/${groupId}`, key })).status;
    expect(await reads()).toBe(200);
    await scim('PATCH', `/Groups/${groupId}`, patch({ op: 'remove', path: `members[value eq "${id}"]` }).body);
    expect(await reads()).toBe(404);
  });
});

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
