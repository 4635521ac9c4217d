import { openBus } from '@berth/db';
import { given } from '@berth/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { CachingAuthenticator } from '../auth/authenticator.ts';
import { createTestApi } from '../testing/index.ts';

const { prisma, services, clock, callAs, callAsUser, countStatements, keyOf, databaseUrl } = await createTestApi();
const rows = given(prisma);
const HOUR_MS = 3_600_000;

/** The authenticator of another server process on the same database. */
const otherBus = await openBus({ url: databaseUrl });
afterAll(() => otherBus.close());
const replica = new CachingAuthenticator({ prisma, bus: otherBus, clock, log: services.log, settings: services.settings });

async function withKey(key: string) {
  const principal = await services.authenticator.byToken(key, '');
  if (principal === null) throw new Error('the key is not valid');
  return callAs(principal);
}

describe('revoking', () => {
  it('one key ends its use at once, on another replica too, and no other key', async () => {
    const user = await rows.user();
    const [kept, key] = [await keyOf(user.id), await keyOf(user.id)];
    for (const known of [kept, key]) expect(await replica.byToken(known, '')).not.toBeNull();
    const { tokens } = await withKey(kept);
    await tokens.delete({ user: 'me', keyid: key.split('-')[0] ?? '' });
    expect(await services.authenticator.byToken(key, '')).toBeNull();
    await expect.poll(() => replica.byToken(key, '')).toBeNull();
    expect(await replica.byToken(kept, '')).not.toBeNull();
  });

  it('all keys ends them on every replica, the own one only if it is not to stay', async () => {
    const user = await rows.user();
    const keys = [await keyOf(user.id), await keyOf(user.id), (await callAsUser(user.id).tokens.create({ user: 'me' })).key];
    for (const key of keys) expect(await replica.byToken(key, '')).not.toBeNull();
    const [own = '', ...others] = keys;
    await (await withKey(own)).tokens.deleteAll({ user: 'me', except_current: true });
    for (const key of others) {
      expect(await services.authenticator.byToken(key, '')).toBeNull();
      await expect.poll(() => replica.byToken(key, '')).toBeNull();
    }
    expect(await replica.byToken(own, '')).not.toBeNull();
    await (await withKey(own)).tokens.deleteAll({ user: 'me' });
    expect(await services.authenticator.byToken(own, '')).toBeNull();
    const audits = await prisma.auditLog.findMany({ where: { userId: user.id, action: 'delete' }, orderBy: { time: 'asc' } });
    expect(audits.map(({ additionalFields }) => additionalFields)).toEqual([{ revoked_keys: 2 }, { revoked_keys: 1 }]);
  });

  it('needs the right to it: a member sees nobody else’s keys, an owner revokes them', async () => {
    const [user, stranger, admin] = [await rows.user(), await rows.user(), await rows.user({ siteRoles: ['owner'] })];
    const key = await keyOf(user.id);
    const keyid = key.split('-')[0] ?? '';
    const calls = callAsUser(stranger.id).tokens;
    const refusals = await Promise.allSettled([
      calls.get({ user: user.id, keyid }),
      calls.delete({ user: user.id, keyid }),
      calls.deleteAll({ user: user.id }),
      calls.listSessions({ user: user.id }),
      calls.get({ user: 'me', keyid }),
      callAsUser(user.id).tokens.get({ user: 'me', keyid: 'nothing' }),
      callAsUser(user.id).tokens.getByName({ user: 'me', keyname: 'nothing' }),
    ]);
    for (const result of refusals) expect(result).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
    await callAsUser(admin.id).tokens.deleteAll({ user: user.id });
    expect(await services.authenticator.byToken(key, '')).toBeNull();
  });
});

describe('the last use of a key', () => {
  const usedBy = async (userId: string) => {
    const [row] = await callAsUser(userId).tokens.listSessions({ user: 'me' });
    const { last_seen_at } = await callAsUser(userId).users.get({ user: 'me' });
    return { at: row?.last_used, ip: row?.last_used_ip, seen: last_seen_at };
  };
  const givenSession = async () => {
    const user = await rows.user();
    const key = await keyOf(user.id);
    const absoluteExpiresAt = new Date(clock.now().getTime() + 1e10);
    await prisma.apiKey.updateMany({ where: { userId: user.id }, data: { lifetimeSeconds: 86_400, absoluteExpiresAt } });
    return { user, key };
  };

  it('is written with its address at the next flush, as is when its user was last seen, and a request in between writes nothing', async () => {
    const { user, key } = await givenSession();
    const now = () => clock.now().toISOString();
    await services.authenticator.byToken(key, '198.51.100.1');
    const first = { at: now(), ip: '198.51.100.1', seen: now() };
    await services.authenticator.byToken(key, '198.51.100.1');
    expect(await usedBy(user.id)).toEqual(first);
    clock.advance(20_000);
    expect(await countStatements(() => services.authenticator.byToken(key, '198.51.100.2'))).toBe(0);
    expect(await usedBy(user.id)).toEqual(first);
    await services.authenticator.flushUses();
    expect(await usedBy(user.id)).toEqual({ at: now(), ip: '198.51.100.2', seen: now() });
    const { expiresAt } = await prisma.apiKey.findFirstOrThrow({ where: { userId: user.id } });
    expect(expiresAt.getTime()).toBe(clock.now().getTime() + 86_400_000);
    expect(await countStatements(() => services.authenticator.flushUses())).toBe(0);
  });

  it('is written for many keys by as many statements as for one', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, givenSession));
    for (const { key } of sessions) await services.authenticator.byToken(key, '');
    await services.authenticator.flushUses();
    const flushed = async (used: readonly { key: string }[]) => {
      clock.advance(1000);
      for (const { key } of used) await services.authenticator.byToken(key, '');
      return await countStatements(() => services.authenticator.flushUses());
    };
    expect(await flushed(sessions)).toBe(await flushed(sessions.slice(0, 1)));
    expect(await usedBy(sessions[7]?.user.id ?? '')).not.toMatchObject({ at: clock.now().toISOString() });
    expect(await usedBy(sessions[0]?.user.id ?? '')).toMatchObject({ at: clock.now().toISOString() });
  });

  it('is written without waiting for a transaction that has locked the account', async () => {
    const { user, key } = await givenSession();
    await services.authenticator.byToken(key, '');
    clock.advance(1000);
    await services.authenticator.byToken(key, '');
    await prisma.$transaction(async (db) => {
      await db.$queryRaw`SELECT 1 FROM users WHERE id = ${user.id}::uuid FOR UPDATE`;
      await services.authenticator.flushUses();
    });
    await services.authenticator.byToken(key, '');
    await services.authenticator.flushUses();
    expect(await usedBy(user.id)).toMatchObject({ at: clock.now().toISOString(), seen: clock.now().toISOString() });
  });
});

describe('expiry', () => {
  it('of a session key slides on use up to thirty days, of a token it does not slide at all', async () => {
    const user = await rows.user();
    const { tokens } = callAsUser(user.id);
    const session = (await tokens.createSession({ user: 'me' })).key;
    const token = (await tokens.create({ user: 'me', lifetime: 24 * 3600 * 1e9 })).key;
    clock.advance(24 * HOUR_MS - 1);
    expect(await services.authenticator.byToken(token, '')).not.toBeNull();
    clock.advance(1);
    expect(await services.authenticator.byToken(token, '')).toBeNull();
    for (let day = 2; day < 30; day += 4) {
      expect(await services.authenticator.byToken(session, ''), `day ${day}`).not.toBeNull();
      clock.advance(4 * 24 * HOUR_MS);
    }
    clock.advance(2 * 24 * HOUR_MS);
    expect(await services.authenticator.byToken(session, '')).toBeNull();
    expect(await tokens.listSessions({ user: 'me' })).toEqual([]);
  });
});

describe('signing out with a narrow credential', () => {
  it('ends that credential and nothing else', async () => {
    const user = await rows.user();
    const create = async (input: object) => (await callAsUser(user.id).tokens.create({ user: 'me', ...input })).key;
    const [reader, apps] = [await create({ scope: 'read_only' }), await create({ scope: 'application_connect' })];
    await (await withKey(reader)).auth.logout({});
    expect(await services.authenticator.byToken(reader, '')).toBeNull();
    expect(await services.authenticator.byToken(apps, '')).not.toBeNull();
  });
});
