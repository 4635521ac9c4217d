import { newId } from '@berth/core';
import type { Sealer } from '@berth/core/sealer';
import { createSealer, newSealingKey } from '@berth/core/sealer';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { sealedContext } from './columns.ts';
import { resealSecrets } from './reseal.ts';

const { prisma, services } = await createTestApi();
const rows = given(prisma);
const [oldKey, newKey] = [newSealingKey(), newSealingKey()];
const former = createSealer([oldKey]);
const both = createSealer([newKey, oldKey]);
const latter = createSealer([newKey]);
const never = new AbortController().signal;

const lines: { level: string; facts: object; message: string }[] = [];
const write =
  (level: string) =>
  (facts: object, message: string): void =>
    void lines.push({ level, facts, message });
const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
const reseal = (sealer: Sealer, prismaOrFake = prisma) => resealSecrets({ ...services, prisma: prismaOrFake, sealer, log }, never);

/** One row in each table with sealed columns, sealed by `sealer`; returns what opens them. */
async function secretsOf(sealer: Sealer) {
  const { id: userId } = await rows.user();
  const identityId = newId();
  const providerId = 'code';
  await prisma.userIdentity.create({
    data: {
      id: identityId,
      userId,
      providerId,
      kind: 'oidc',
      issuer: 'i',
      subject: userId,
      sealedAccessToken: sealer.seal('identity', sealedContext('user_identities', 'sealed_access_token', [identityId])),
    },
  });
  await prisma.gitSshKey.create({
    data: { userId, publicKey: '', sealedPrivateKey: sealer.seal('key', sealedContext('git_ssh_keys', 'sealed_private_key', [userId])) },
  });
  await prisma.externalAuthLink.create({
    data: {
      userId,
      providerId,
      sealedAccessToken: sealer.seal('access', sealedContext('external_auth_links', 'sealed_access_token', [userId, providerId])),
      sealedRefreshToken: sealer.seal('refresh', sealedContext('external_auth_links', 'sealed_refresh_token', [userId, providerId])),
    },
  });
  return {
    userId,
    async openedBy(reader: Sealer): Promise<string[]> {
      const [identity, key, link] = await Promise.all([
        prisma.userIdentity.findUniqueOrThrow({ where: { id: identityId } }),
        prisma.gitSshKey.findUniqueOrThrow({ where: { userId } }),
        prisma.externalAuthLink.findUniqueOrThrow({ where: { userId_providerId: { userId, providerId } } }),
      ]);
      expect([identity.sealedRefreshToken, link.sealedTokenExtra]).toEqual([null, null]);
      return [
        reader.open(identity.sealedAccessToken ?? new Uint8Array(), sealedContext('user_identities', 'sealed_access_token', [identityId])),
        reader.open(key.sealedPrivateKey, sealedContext('git_ssh_keys', 'sealed_private_key', [userId])),
        reader.open(link.sealedAccessToken, sealedContext('external_auth_links', 'sealed_access_token', [userId, providerId])),
        reader.open(
          link.sealedRefreshToken ?? new Uint8Array(),
          sealedContext('external_auth_links', 'sealed_refresh_token', [userId, providerId]),
        ),
      ];
    },
  };
}

beforeEach(async () => {
  lines.length = 0;
  await prisma.userIdentity.deleteMany();
  await prisma.gitSshKey.deleteMany();
  await prisma.externalAuthLink.deleteMany();
});

describe('a new sealing key', () => {
  it('seals every stored secret anew, in every table, so that the old one can be dropped', async () => {
    const [one, two] = [await secretsOf(former), await secretsOf(both)];
    expect(await reseal(both)).toEqual({ resealed: 4, unreadable: 0 });
    expect(await one.openedBy(latter)).toEqual(['identity', 'key', 'access', 'refresh']);
    expect(await two.openedBy(latter)).toEqual(['identity', 'key', 'access', 'refresh']);
    expect(lines).toEqual([{ level: 'info', facts: { resealed: 4 }, message: 'every stored secret is sealed with the newest key' }]);
    expect(await reseal(both)).toEqual({ resealed: 0, unreadable: 0 });
  });

  it('reaches more rows than one batch holds, past those that cannot be read', async () => {
    const lost = createSealer([newSealingKey()]);
    const users = Array.from({ length: 450 }, (_, index) => ({ id: newId(), isLost: index % 2 === 0 }));
    await prisma.user.createMany({
      data: users.map(({ id }) => ({ id, username: id.slice(0, 30), email: `${id}@example.com`, loginType: 'none', status: 'active' })),
    });
    await prisma.gitSshKey.createMany({
      data: users.map(({ id, isLost }) => ({
        userId: id,
        publicKey: '',
        sealedPrivateKey: (isLost ? lost : former).seal('key', sealedContext('git_ssh_keys', 'sealed_private_key', [id])),
      })),
    });
    expect(await reseal(both)).toEqual({ resealed: 225, unreadable: 225 });
    expect(lines.at(-1)).toMatchObject({ level: 'warn', facts: { unreadable: 225 } });
    expect(await reseal(both)).toEqual({ resealed: 0, unreadable: 225 });
  });

  it('runs on all replicas at once', async () => {
    const all = [await secretsOf(former), await secretsOf(former), await secretsOf(former)];
    await Promise.all([reseal(both), reseal(both), reseal(both)]);
    for (const one of all) expect(await one.openedBy(latter)).toEqual(['identity', 'key', 'access', 'refresh']);
  });

  it('never writes over what somebody changed in the meantime', async () => {
    const { userId } = await secretsOf(former);
    const context = sealedContext('git_ssh_keys', 'sealed_private_key', [userId]);
    const change = (): Promise<unknown> =>
      prisma.gitSshKey.update({ where: { userId }, data: { sealedPrivateKey: both.seal('newer', context) } });
    const racing = new Proxy(prisma, {
      get: (target, name) =>
        name === '$executeRaw'
          ? (...given: Parameters<typeof prisma.$executeRaw>) => change().then(() => target.$executeRaw(...given))
          : Reflect.get(target, name),
    });
    await reseal(both, racing);
    const { sealedPrivateKey } = await prisma.gitSshKey.findUniqueOrThrow({ where: { userId } });
    expect(both.open(sealedPrivateKey, context)).toBe('newer');
  });

  it('tells no secret in its log', async () => {
    await secretsOf(former);
    await reseal(both);
    await reseal(createSealer([newSealingKey()]));
    expect(lines.length).toBeGreaterThan(2);
    expect(JSON.stringify(lines)).not.toMatch(/identity"|"key"(?!:)|"access|"refresh/);
  });
});
