import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

/** Whatever ends access wins over whatever gives it at the same moment: nothing is given behind its back. */
const { prisma, services, callAs, callAsUser } = await createTestApi();
const rows = given(prisma);
const admin = await rows.user({ siteRoles: ['owner'] });
const anonymous = callAs({ kind: 'anonymous' }).oauth2;
const ROUNDS = 8;

async function register() {
  const { id } = await callAsUser(admin.id).oauth2Apps.create({ name: uniqueName('app'), callback_url: 'https://app.example.com' });
  const [made] = await callAsUser(admin.id).oauth2Apps.createSecret({ app: id });
  return { client_id: id, client_secret: made?.client_secret_full ?? '' };
}
type Client = Awaited<ReturnType<typeof register>>;

async function codeFor(client: Client, userId: string): Promise<string> {
  const request = { client_id: client.client_id, response_type: 'code', state: 'x', approve: true };
  return new URL((await callAsUser(userId).oauth2.approve(request)).redirect_url).searchParams.get('code') ?? '';
}

const exchange = async (client: Client, code: string) => await anonymous.token({ ...client, grant_type: 'authorization_code', code });
const refresh = async (client: Client, token: string) =>
  await anonymous.token({ ...client, grant_type: 'refresh_token', refresh_token: token });

/** What of a user's access is left. */
async function left(userId: string): Promise<number> {
  return (await prisma.apiKey.count({ where: { userId } })) + (await prisma.oAuth2ProviderToken.count({ where: { userId } }));
}

describe('at the same moment as', () => {
  it('all keys of a user are revoked, no refresh and no code gives access that stays', async () => {
    const client = await register();
    for (let round = 0; round < ROUNDS; round++) {
      const user = await rows.user();
      const first = await exchange(client, await codeFor(client, user.id));
      if (first.status !== 200) throw new Error(first.body.error_description);
      const code = await codeFor(client, user.id);
      await Promise.allSettled([
        refresh(client, first.body.refresh_token),
        callAsUser(user.id).tokens.deleteAll({ user: 'me' }),
        exchange(client, code),
      ]);
      expect(await left(user.id), `round ${round}`).toBe(0);
    }
  });

  it('the user takes the access away, no refresh brings it back', async () => {
    const client = await register();
    for (let round = 0; round < ROUNDS; round++) {
      const user = await rows.user();
      const first = await exchange(client, await codeFor(client, user.id));
      if (first.status !== 200) throw new Error(first.body.error_description);
      await Promise.all([refresh(client, first.body.refresh_token), callAsUser(user.id).oauth2.revokeApp({ client_id: client.client_id })]);
      expect(await left(user.id), `round ${round}`).toBe(0);
    }
  });

  it('an application is deleted, no exchange leaves a key behind', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const client = await register();
      const user = await rows.user();
      const first = await exchange(client, await codeFor(client, user.id));
      if (first.status !== 200) throw new Error(first.body.error_description);
      const code = await codeFor(client, user.id);
      const [deleted] = await Promise.allSettled([
        callAsUser(admin.id).oauth2Apps.delete({ app: client.client_id }),
        exchange(client, code),
        refresh(client, first.body.refresh_token),
      ]);
      expect(deleted).toMatchObject({ status: 'fulfilled' });
      expect(await left(user.id), `round ${round}`).toBe(0);
      expect(await services.authenticator.byToken(first.body.access_token, '')).toBeNull();
    }
  });

  it('a token comes twice, no third use of its family goes on', async () => {
    const client = await register();
    for (let round = 0; round < ROUNDS; round++) {
      const user = await rows.user();
      const first = await exchange(client, await codeFor(client, user.id));
      if (first.status !== 200) throw new Error(first.body.error_description);
      const second = await refresh(client, first.body.refresh_token);
      if (second.status !== 200) throw new Error(second.body.error_description);
      await Promise.all([refresh(client, first.body.refresh_token), refresh(client, second.body.refresh_token)]);
      expect(await left(user.id), `round ${round}`).toBe(0);
    }
  });
});
