import { describe, expect, it } from 'vitest';
import { createScimServer, MEDIA_TYPE, refusal, somebody } from '../testing/scim/client.ts';
import { entraId } from '../testing/scim/entra-id.ts';
import { jumpCloud } from '../testing/scim/jumpcloud.ts';
import { okta } from '../testing/scim/okta.ts';
import { oneLogin } from '../testing/scim/onelogin.ts';

const server = await createScimServer();
const { create, keyOf, prisma, scim } = server;
const standard = await prisma.organization.findFirstOrThrow({ where: { isDefault: true } });

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
