import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createScimServer, MEDIA_TYPE, refusal, somebody } from '../testing/scim/client.ts';
import { patch } from '../testing/scim/forms.ts';
import { okta } from '../testing/scim/okta.ts';

const { create, prisma, scim } = await createScimServer();
const rows = given(prisma);

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
