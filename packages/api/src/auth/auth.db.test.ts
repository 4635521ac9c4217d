import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { hashPassword } from './passwords.ts';
import { SESSION_ABSOLUTE_SECONDS, SESSION_LIFETIME_SECONDS, createApiKey } from './sessions.ts';

const { prisma, services, clock, callAs, callAsUser, keyOf } = await createTestApi();
const rows = given(prisma);
const anonymous = callAs({ kind: 'anonymous' });
const DAY_MS = 86_400_000;

async function someoneWithPassword(password = 'correct horse battery staple', overrides = {}) {
  const organization = await rows.organization();
  return rows.user({ memberOf: [organization.id], passwordHash: await hashPassword(password), ...overrides });
}

describe('login', () => {
  it('makes a session whose key is the caller, and records it', async () => {
    const user = await someoneWithPassword();
    const { session_token } = await anonymous.auth.login({ email: user.email.toUpperCase(), password: 'correct horse battery staple' });
    expect(await services.authenticator.byToken(session_token, '')).toMatchObject({ kind: 'user', userId: user.id });
    const row = await prisma.auditLog.findFirstOrThrow({ where: { userId: user.id } });
    expect(row).toMatchObject({ action: 'login', resourceType: 'api_key', statusCode: 201, ip: '192.0.2.1' });
    expect(row.diff).toMatchObject({ user_id: { old: '', new: user.id, secret: false } });
    expect(JSON.stringify(row)).not.toContain(session_token.split('-')[1]);
  });

  it('gives an unknown address and a wrong password the same answer', async () => {
    const user = await someoneWithPassword();
    const wrong = anonymous.auth.login({ email: user.email, password: 'not it' }).catch((error: unknown) => error);
    const unknown = anonymous.auth.login({ email: 'nobody@example.com', password: 'not it' }).catch((error: unknown) => error);
    expect(String(await wrong)).toBe(String(await unknown));
    expect(await wrong).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('records a refused attempt of a known user outside the undone transaction', async () => {
    const user = await someoneWithPassword();
    await expect(anonymous.auth.login({ email: user.email, password: 'not it' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await prisma.auditLog.findFirstOrThrow({ where: { userId: user.id } })).toMatchObject({
      action: 'login',
      statusCode: 401,
      diff: {},
    });
    expect(await prisma.apiKey.count({ where: { userId: user.id } })).toBe(0);
  });

  it('keeps suspended and deleted accounts out', async () => {
    const suspended = await someoneWithPassword('correct horse battery staple', { status: 'suspended' });
    const deleted = await someoneWithPassword('correct horse battery staple', { deleted: true });
    for (const { email } of [suspended, deleted]) {
      await expect(anonymous.auth.login({ email, password: 'correct horse battery staple' })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
    }
  });
});

describe('keys', () => {
  it('end at once when their user is suspended or deleted, also where the key was known already', async () => {
    for (const change of [{ status: 'suspended' }, { deleted: true }]) {
      const user = await someoneWithPassword();
      const key = await keyOf(user.id);
      expect(await services.authenticator.byToken(key, '')).not.toBeNull();
      await prisma.user.update({ where: { id: user.id }, data: change });
      services.authenticator.forgetUser(user.id);
      expect(await services.authenticator.byToken(key, '')).toBeNull();
    }
  });

  it('are nobody with another secret, another form, or after their expiry', async () => {
    const user = await someoneWithPassword();
    const key = await keyOf(user.id);
    expect(await services.authenticator.byToken(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, '')).toBeNull();
    expect(await services.authenticator.byToken(key.replace('-', '_'), '')).toBeNull();
    await prisma.apiKey.updateMany({ where: { userId: user.id }, data: { expiresAt: new Date(clock.now().getTime() - 1) } });
    services.authenticator.forgetUser(user.id);
    expect(await services.authenticator.byToken(key, '')).toBeNull();
  });

  it('slide on use, and never past their absolute end', async () => {
    const user = await someoneWithPassword();
    const { token, id } = await createApiKey(prisma, services.clock, {
      userId: user.id,
      loginType: 'password',
      lifetimeSeconds: SESSION_LIFETIME_SECONDS,
      absoluteSeconds: SESSION_ABSOLUTE_SECONDS,
      ip: '',
    });
    const end = clock.now().getTime() + SESSION_ABSOLUTE_SECONDS * 1000;
    for (let day = 0; day < 29; day++) {
      clock.advance(DAY_MS - 1000);
      expect(await services.authenticator.byToken(token, '198.51.100.7'), `day ${day}`).not.toBeNull();
    }
    const row = await prisma.apiKey.findUniqueOrThrow({ where: { id } });
    expect(row.expiresAt.getTime()).toBeLessThanOrEqual(end);
    expect(row.lastUsedIp).toBe('198.51.100.7');
    clock.advance(2 * DAY_MS);
    expect(await services.authenticator.byToken(token, '')).toBeNull();
  });

  it('make a dormant user active on first use', async () => {
    const user = await someoneWithPassword('correct horse battery staple', { status: 'dormant' });
    await services.authenticator.byToken(await keyOf(user.id), '');
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ status: 'active' });
  });

  it('of a session end with logout, and so do keys that only reach apps', async () => {
    const user = await someoneWithPassword();
    const { session_token } = await anonymous.auth.login({ email: user.email, password: 'correct horse battery staple' });
    const app = await createApiKey(prisma, clock, {
      userId: user.id,
      loginType: 'password',
      scope: 'application_connect',
      lifetimeSeconds: 60,
      ip: '',
    });
    const other = await keyOf(user.id);
    const principal = await services.authenticator.byToken(session_token, '');
    if (principal === null) throw new Error('the session is not valid');
    await callAs(principal).auth.logout({});
    expect(await services.authenticator.byToken(session_token, '')).toBeNull();
    expect(await services.authenticator.byToken(app.token, '')).toBeNull();
    expect(await services.authenticator.byToken(other, '')).not.toBeNull();
  });
});

describe('tokens', () => {
  it('have names that are unique among a user’s tokens', async () => {
    const user = await someoneWithPassword();
    await callAsUser(user.id).tokens.create({ user: 'me', token_name: 'ci' });
    await expect(callAsUser(user.id).tokens.create({ user: 'me', token_name: 'ci' })).rejects.toMatchObject({ code: 'CONFLICT' });
    const other = await someoneWithPassword();
    await expect(callAsUser(other.id).tokens.create({ user: 'me', token_name: 'ci' })).resolves.toHaveProperty('key');
  });

  it('are listed without their secret, and gone when revoked', async () => {
    const user = await someoneWithPassword();
    const { key } = await callAsUser(user.id).tokens.create({ user: 'me', token_name: 'deploy', lifetime: 3600 * 1e9 });
    const [listed] = await callAsUser(user.id).tokens.list({ user: 'me' });
    expect(listed).toMatchObject({ token_name: 'deploy', lifetime_seconds: 3600, user_id: user.id, username: user.username });
    expect(JSON.stringify(listed)).not.toContain(key.split('-')[1]);
    await services.authenticator.byToken(key, '');
    await callAsUser(user.id).tokens.delete({ user: 'me', keyid: listed?.id ?? '' });
    expect(await services.authenticator.byToken(key, '')).toBeNull();
    const actions = await prisma.auditLog.findMany({
      where: { userId: user.id, resourceType: 'api_key' },
      select: { action: true, diff: true },
    });
    expect(actions.map((row) => row.action).toSorted()).toEqual(['create', 'delete']);
  });

  it('with the narrow scope open nothing but apps', async () => {
    const user = await someoneWithPassword();
    const { key } = await callAsUser(user.id).tokens.create({ user: 'me', token_name: 'apps', scope: 'application_connect' });
    const principal = await services.authenticator.byToken(key, '');
    if (principal === null) throw new Error('the token is not valid');
    await expect(callAs(principal).users.get({ user: 'me' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of others are for owners only', async () => {
    const user = await someoneWithPassword();
    const admin = await rows.user({ siteRoles: ['user-admin'] });
    await callAsUser(user.id).tokens.create({ user: 'me', token_name: 'mine' });
    expect(await callAsUser(admin.id).tokens.list({ user: user.username })).toEqual([]);
    const owner = await rows.user({ siteRoles: ['owner'] });
    expect(await callAsUser(owner.id).tokens.list({ user: user.username })).toHaveLength(1);
  });
});
