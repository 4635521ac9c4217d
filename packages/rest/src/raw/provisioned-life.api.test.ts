import { SignOnSettings } from '@berth/api/server';
import { Secret } from '@berth/core';
import { given } from '@berth/testing';
import { expect, it } from 'vitest';
import { startFakeOidcProvider } from '../testing/fake-oidc-provider.ts';
import { createTestServer } from '../testing/index.ts';
import { entraId } from '../testing/scim/entra-id.ts';
import { SignOnBrowser } from '../testing/sign-on-browser.ts';

/* The life of an account that an identity provider keeps: made over SCIM, claimed by a sign-on, synced by claims, and ended over SCIM. */
const TOKEN = 'a-scim-token-of-this-test';
const provider = await startFakeOidcProvider();
const server = await createTestServer({
  settings: {
    scimToken: new Secret(TOKEN),
    signOn: SignOnSettings.parse({
      providers: [
        {
          type: 'oidc',
          issuer_url: provider.issuer,
          client_id: 'berth',
          client_secret: 'a-secret',
          // Only those whom SCIM made may come.
          allow_sign_ups: false,
          site_roles_claim: 'berth.roles',
        },
      ],
    }),
  },
});
const rows = given(server.prisma);
const owner = await rows.user({ siteRoles: ['owner'] });
const crew = await rows.organization();
const sync = server.callAsUser(owner.id).idpSync;
await sync.updateOrganization({ field: 'organizations', mapping: { crew: [crew.id] } });
await sync.updateGroups({ organization: crew.id, field: 'groups', auto_create_missing_groups: true });
await sync.updateRoles({ organization: crew.id, field: 'groups', mapping: { captains: ['organization-admin'] } });

async function scim(method: 'POST' | 'PATCH', path: string, payload: unknown) {
  const response = await server.app.inject({
    method,
    url: `/scim/v2${path}`,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json' },
    payload: JSON.stringify(payload),
  });
  return response.json<{ id: string }>();
}

async function signIn(claims: Record<string, unknown>, browser = new SignOnBrowser(server)) {
  provider.answer = {
    claims: { sub: 'ada', email: 'ada@example.com', email_verified: true, preferred_username: 'ada', name: 'Ada Byron', ...claims },
  };
  return { location: await browser.signIn(), browser };
}

const ADA = { userName: 'ada@example.com', email: 'ada@example.com', givenName: 'Ada', familyName: 'Byron', externalId: 'entra-ada' };

it('is claimed by the first sign-on, synced at each, and out on every door the moment the provider says so', async () => {
  expect((await signIn({})).location).toContain('/login');
  const { id } = await scim('POST', '/Users', entraId.create(ADA));
  const standard = await server.prisma.organization.findFirstOrThrow({ where: { isDefault: true } });

  const { browser } = await signIn({ organizations: ['crew'], groups: ['captains'], berth: { roles: ['auditor'] } });
  const me = await browser.whoAmI();
  expect(me).toMatchObject({ id, username: 'ada', login_type: 'oidc' });
  expect(me?.organization_ids.toSorted()).toEqual([standard.id, crew.id].toSorted());
  const places = async () => {
    const user = await server.prisma.user.findUniqueOrThrow({
      where: { id },
      select: {
        status: true,
        siteRoles: true,
        memberships: { where: { organizationId: crew.id }, select: { roles: true } },
        groupMemberships: { select: { group: { select: { name: true, source: true } } } },
      },
    });
    return {
      status: user.status,
      siteRoles: user.siteRoles,
      roles: user.memberships[0]?.roles,
      groups: user.groupMemberships.map(({ group }) => group),
    };
  };
  expect(await places()).toEqual({
    status: 'active',
    siteRoles: ['auditor'],
    roles: ['organization-admin'],
    groups: [{ name: 'captains', source: 'oidc' }],
  });
  expect(await sync.availableFields({})).toEqual(expect.arrayContaining(['berth', 'berth.roles', 'groups', 'organizations']));
  expect(await sync.dryRun({ user: id })).toMatchObject({ organizations: { items: [{ change: 'keep' }, { change: 'keep' }] } });

  await signIn({ organizations: ['crew'], groups: ['deckhands'], berth: { roles: 'a,b' } }, browser);
  expect(await places()).toEqual({ status: 'active', siteRoles: ['auditor'], roles: [], groups: [{ name: 'deckhands', source: 'oidc' }] });

  const deactivation = entraId.deactivate(ADA);
  await scim('PATCH', `/Users/${id}`, deactivation.body);
  expect(await browser.whoAmI()).toBeNull();
  expect((await signIn({ organizations: ['crew'] })).location).toContain('/login');
  expect((await places()).status).toBe('suspended');

  await scim('POST', '/Users', entraId.create(ADA));
  expect(await (await signIn({ organizations: [] })).browser.whoAmI()).toMatchObject({ id, organization_ids: [standard.id] });
});
