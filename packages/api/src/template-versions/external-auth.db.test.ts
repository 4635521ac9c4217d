import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { ExternalAuthSettings } from '../external-auth/settings.ts';
import { sealedContext } from '../sealing/index.ts';
import { createTestApi } from '../testing/index.ts';

const externalAuth = ExternalAuthSettings.parse([
  {
    id: 'code',
    type: 'custom',
    client_id: 'x',
    display_name: 'Code',
    authorize_url: 'http://127.0.0.1:9/',
    token_url: 'http://127.0.0.1:9/',
  },
]);
const { prisma, services, callAsUser } = await createTestApi({ externalAuth });
const make = given(prisma);

async function givenNeeds(...providers: { id: string; optional: boolean }[]) {
  const { organization, version } = await make.template();
  await prisma.templateVersion.update({ where: { id: version.id }, data: { externalAuthProviders: providers } });
  const user = await make.user({ memberOf: [organization.id] });
  return { user, ask: () => callAsUser(user.id).templateVersions.externalAuth({ templateversion: version.id }) };
}

test('a version says which external services it needs, and whether the caller’s own link to each works', async () => {
  const { user, ask } = await givenNeeds({ id: 'code', optional: true });
  const needed = {
    id: 'code',
    type: 'custom',
    display_name: 'Code',
    authenticate_url: 'http://berth.test/external-auth/code',
    optional: true,
  };
  expect(await ask()).toMatchObject([{ ...needed, authenticated: false }]);
  await prisma.externalAuthLink.create({
    data: {
      userId: user.id,
      providerId: 'code',
      sealedAccessToken: services.sealer.seal('token', sealedContext('external_auth_links', 'sealed_access_token', [user.id, 'code'])),
    },
  });
  expect(await ask()).toMatchObject([{ ...needed, authenticated: true }]);
});

test('a version that needs none answers an empty list', async () => {
  const { ask } = await givenNeeds();
  expect(await ask()).toEqual([]);
});

test('a service that is not configured any more is not found', async () => {
  const { ask } = await givenNeeds({ id: 'code', optional: false }, { id: 'gone', optional: false });
  await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
