import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { ExternalAuthSettings } from './settings.ts';

const { prisma, callAsUser, services } = await createTestApi({
  externalAuth: ExternalAuthSettings.parse([
    { id: 'forge', type: 'github', client_id: 'berth', client_secret: 'secret' },
    { id: 'other', type: 'gitlab', client_id: 'berth', client_secret: 'secret' },
  ]),
});
const make = given(prisma);

test('how many people linked an account is told to who reads the settings, and not whose they are', async () => {
  const sealedAccessToken = Buffer.from(services.sealer.seal('token', 'test'));
  for (const failure of ['', '', 'revoked']) {
    const user = await make.user({});
    await prisma.externalAuthLink.create({ data: { providerId: 'forge', userId: user.id, sealedAccessToken, failure } });
  }
  const auditor = await make.user({ siteRoles: ['auditor'] });
  await expect(callAsUser(auditor.id).externalAuth.setup({})).resolves.toEqual([
    { id: 'forge', redirect_url: 'http://berth.test/external-auth/forge/callback', links: 3, broken_links: 1 },
    { id: 'other', redirect_url: 'http://berth.test/external-auth/other/callback', links: 0, broken_links: 0 },
  ]);
  const member = await make.user({});
  await expect(callAsUser(member.id).externalAuth.setup({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
