import { given, uniqueName } from '@berth/testing';
import { expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { purgeExpiredGrants } from './purge.ts';

const { prisma, services, clock, callAs, callAsUser } = await createTestApi();
const rows = given(prisma);
const HOUR_MS = 3_600_000;
const anonymous = callAs({ kind: 'anonymous' }).oauth2;

it('what expired an hour ago is deleted, and nothing that lives', async () => {
  const admin = await rows.user({ siteRoles: ['owner'] });
  const app = await callAsUser(admin.id).oauth2Apps.create({ name: uniqueName('app'), callback_url: 'https://app.example.com' });
  const [made] = await callAsUser(admin.id).oauth2Apps.createSecret({ app: app.id });
  const client = { client_id: app.id, client_secret: made?.client_secret_full ?? '' };
  const grant = async (): Promise<void> => {
    const { redirect_url: url } = await callAsUser(admin.id).oauth2.approve({
      client_id: app.id,
      response_type: 'code',
      state: 'x',
      approve: true,
    });
    const code = new URL(url).searchParams.get('code') ?? '';
    expect((await anonymous.token({ ...client, grant_type: 'authorization_code', code })).status).toBe(200);
    expect((await anonymous.beginDevice(client)).status).toBe(200);
  };
  const counts = async (): Promise<number[]> => [
    await prisma.oAuth2ProviderCode.count(),
    await prisma.oAuth2ProviderDeviceCode.count(),
    await prisma.oAuth2ProviderToken.count(),
  ];
  await grant();
  await purgeExpiredGrants(services);
  expect(await counts()).toEqual([1, 1, 1]);
  clock.advance(2 * HOUR_MS);
  await grant();
  expect(await purgeExpiredGrants(services)).toBe(false);
  expect(await counts()).toEqual([1, 1, 2]);
  clock.advance(31 * 24 * HOUR_MS);
  await purgeExpiredGrants(services);
  expect(await counts()).toEqual([0, 0, 0]);
});
