import { createSealer, newSealingKey } from '@berth/core/sealer';
import { given } from '@berth/testing';
import { beforeEach, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { sealedContext } from './columns.ts';
import { requireSealingKeys } from './deployment-keys.ts';
import { resealSecrets } from './reseal.ts';

const { prisma, services } = await createTestApi();
const rows = given(prisma);
const [one, two, other] = [newSealingKey(), newSealingKey(), newSealingKey()];
const never = new AbortController().signal;

/** A server with these keys, newest first, starts. */
const start = (...keys: string[]): Promise<void> => requireSealingKeys({ prisma, sealer: createSealer(keys) });
const reseal = (...keys: string[]) => resealSecrets({ ...services, sealer: createSealer(keys) }, never);

async function storeSecret(key: string): Promise<void> {
  const { id: userId } = await rows.user();
  const sealedPrivateKey = createSealer([key]).seal('secret', sealedContext('git_ssh_keys', 'sealed_private_key', [userId]));
  await prisma.gitSshKey.create({ data: { userId, publicKey: '', sealedPrivateKey } });
}

const mismatch = expect.objectContaining({ name: 'SealingKeyError', message: expect.stringContaining('Set BERTH_SEALING_KEYS') });

beforeEach(async () => {
  await prisma.gitSshKey.deleteMany();
  await prisma.siteSetting.deleteMany({ where: { key: 'sealing_keys' } });
});

it('a server with the keys of the deployment starts, and one with others is refused', async () => {
  await start(one);
  await start(one);
  await expect(start(other)).rejects.toEqual(mismatch);
  await start(one);
});

it('of servers with different keys that start together, one is refused', async () => {
  const outcomes = await Promise.allSettled([start(one), start(other)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

it('a key is replaced in a rolling restart, and dropped once nothing is sealed with it', async () => {
  await storeSecret(one);
  await start(one);
  await start(one, two);
  await start(two, one);
  await expect(start(one)).rejects.toEqual(mismatch);
  await expect(start(two)).rejects.toEqual(mismatch);
  expect(await reseal(two, one)).toEqual({ resealed: 1, unreadable: 0 });
  await expect(start(two)).rejects.toEqual(mismatch);
  expect(await reseal(two, one)).toEqual({ resealed: 0, unreadable: 0 });
  await start(two);
  await expect(start(one)).rejects.toEqual(mismatch);
});

it('a key that another server uses stays on record, whatever this one finds', async () => {
  await start(one);
  await reseal(two);
  await expect(start(two)).rejects.toEqual(mismatch);
  await start(one, two);
});

it('a deployment without a record takes the keys that can open something, and no others', async () => {
  await storeSecret(one);
  await storeSecret(two);
  await expect(start(other)).rejects.toEqual(mismatch);
  await start(two);
});

it('an administrator who lost a key empties the record, and the server starts with a new one', async () => {
  await storeSecret(one);
  await start(one);
  await prisma.siteSetting.update({ where: { key: 'sealing_keys' }, data: { value: '[]' } });
  await start(other);
  await expect(start(one)).rejects.toEqual(mismatch);
});

it('security: the record does not contain a key', async () => {
  await start(one);
  const { value } = await prisma.siteSetting.findUniqueOrThrow({ where: { key: 'sealing_keys' } });
  expect(value).toMatch(/^\["[0-9a-f]{64}"\]$/);
  expect(value).not.toContain(Buffer.from(one, 'base64').toString('hex'));
});
