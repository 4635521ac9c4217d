import { newId } from '@berth/core';
import type { Tx } from '@berth/db';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { CachingAuthenticator } from './auth/authenticator.ts';
import { endAllKeys } from './auth/end-all-keys.ts';
import { AuditRecorder } from './kernel/audit.ts';
import { accountOf } from './sign-on/account.ts';
import { OidcProvider } from './sign-on/settings.ts';
import { createTestApi, hashPasswordForTest } from './testing/index.ts';
import { meanwhile } from './testing/meanwhile.ts';

/**
 * Changes of one account that meet half way: what was decided by what an account was must not be done to what it has become. Each change
 * holds its rows until the other one waits for them, or has passed by without waiting, which is what these tests find.
 */
const { prisma, services, callAs, callAsUser, keyOf } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const owner = await rows.user({ siteRoles: ['owner'] });
const anonymous = callAs({ kind: 'anonymous' });
const PASSWORD = 'correct horse battery staple';
const passwordHash = await hashPasswordForTest(PASSWORD);

const refused = (code: string) => ({ status: 'rejected', reason: expect.objectContaining({ code }) });

async function withKeyOf(userId: string) {
  const principal = await services.authenticator.byToken(await keyOf(userId), '');
  if (principal === null) throw new Error('the key is not valid');
  return callAs(principal);
}

describe('a credential', () => {
  const newPassword = (userId: string) => async (db: Tx) => {
    await db.user.update({ where: { id: userId }, data: { passwordHash: `${passwordHash}x` } });
    await endAllKeys(db, userId);
  };
  const suspension = (userId: string) => (db: Tx) => db.user.update({ where: { id: userId }, data: { status: 'suspended' } });

  it.each([
    ['is replaced', newPassword],
    ['is that of an account which is suspended', suspension],
  ])('does not come of a password that %s while it is checked', async (_, changeOf) => {
    const user = await rows.user({ passwordHash });
    const login = await meanwhile(prisma, user.id, {
      work: () => anonymous.auth.login({ email: user.email, password: PASSWORD }),
      change: changeOf(user.id),
    });
    expect(login).toMatchObject(refused('UNAUTHORIZED'));
    expect(await prisma.apiKey.count({ where: { userId: user.id } })).toBe(0);
  });

  it('is not made by one that is revoked meanwhile: neither a token, nor a session, nor what an application is given', async () => {
    const app = await callAsUser(owner.id).oauth2Apps.create({ name: 'racing', callback_url: 'https://app.example.com/callback' });
    const request = { client_id: app.id, response_type: 'code', state: 'state', approve: true };
    for (const make of [
      (caller: Awaited<ReturnType<typeof withKeyOf>>): Promise<unknown> => caller.tokens.create({ user: 'me' }),
      (caller: Awaited<ReturnType<typeof withKeyOf>>) => caller.tokens.createSession({ user: 'me' }),
      (caller: Awaited<ReturnType<typeof withKeyOf>>) => caller.oauth2.approve(request),
    ]) {
      const user = await rows.user();
      const caller = await withKeyOf(user.id);
      const made = await meanwhile(prisma, user.id, { work: () => make(caller), change: (db) => endAllKeys(db, user.id) });
      expect(made).toMatchObject(refused('UNAUTHORIZED'));
      expect(await prisma.apiKey.count({ where: { userId: user.id } })).toBe(0);
      expect(await prisma.oAuth2ProviderCode.count({ where: { userId: user.id } })).toBe(0);
    }
  });

  it('is not made by an owner for an account that is deleted meanwhile', async () => {
    const user = await rows.user();
    const made = await meanwhile(prisma, user.id, {
      work: () => callAsUser(owner.id).tokens.create({ user: user.id }),
      change: (db) => db.user.update({ where: { id: user.id }, data: { deleted: true } }),
    });
    expect(made).toMatchObject(refused('NOT_FOUND'));
    expect(await prisma.apiKey.count({ where: { userId: user.id } })).toBe(0);
  });

  it.each([
    ['suspended', suspension],
    ['given another password', newPassword],
  ])('of an application is not exchanged for an account that is %s meanwhile', async (_, changeOf) => {
    const user = await rows.user();
    const { oauth2Apps } = callAsUser(owner.id);
    const app = await oauth2Apps.create({ name: newId().slice(0, 20), callback_url: 'https://app.example.com/callback' });
    const [secret] = await oauth2Apps.createSecret({ app: app.id });
    const approved = await callAsUser(user.id).oauth2.approve({ client_id: app.id, response_type: 'code', state: 'state', approve: true });
    const code = new URL(approved.redirect_url).searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', client_id: app.id, client_secret: secret?.client_secret_full, code };
    const exchanged = await meanwhile(prisma, user.id, { work: () => anonymous.oauth2.token(form), change: changeOf(user.id) });
    expect(exchanged).toMatchObject({ status: 'fulfilled', value: { body: { error: 'invalid_grant' } } });
    expect(await prisma.apiKey.count({ where: { userId: user.id } })).toBe(0);
  });

  it('of a device is given once, however often it is asked for and approved at the same time', async () => {
    const user = await rows.user();
    const app = await callAsUser(owner.id).oauth2Apps.create({
      name: newId().slice(0, 20),
      callback_url: 'http://127.0.0.1/callback',
      client_type: 'public',
    });
    const begun = await anonymous.oauth2.beginDevice({ client_id: app.id });
    if (!('user_code' in begun.body)) throw new Error('no device');
    const { user_code } = begun.body;
    const decisions = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => callAsUser(user.id).oauth2.approveDevice({ user_code, approve: index % 3 !== 2 })),
    );
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const decision of decisions) if (decision.status === 'rejected') expect(decision).toMatchObject(refused('NOT_FOUND'));
    expect(await prisma.auditLog.count({ where: { userId: user.id, statusCode: { lt: 400 } } })).toBeLessThanOrEqual(1);
  });
});

describe('what a process knows of a key', () => {
  it('is not kept when its user changed while it was read', async () => {
    const user = await rows.user();
    const key = await keyOf(user.id);
    let read = (): void => undefined;
    let goOn = (): void => undefined;
    const isRead = new Promise<void>((resolve) => (read = resolve));
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    /** The database, whose first answer about a key is long on its way. */
    const slow = new Proxy(prisma, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (name !== '$queryRaw' || typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          const answer: unknown = await Reflect.apply(value, target, args);
          read();
          await mayGoOn;
          return answer;
        };
      },
    });
    const authenticator = new CachingAuthenticator({
      prisma: slow,
      bus: services.bus,
      clock: services.clock,
      log: services.log,
      settings: services.settings,
    });
    const early = authenticator.byToken(key, '');
    await isRead;
    await callAsUser(owner.id).users.suspend({ user: user.id });
    authenticator.forgetUser(user.id);
    goOn();
    await early;
    expect(await authenticator.byToken(key, '')).toBeNull();
  });
});

describe('an account that is deleted', () => {
  const deletion = (userId: string) => async (db: Tx) => {
    await db.organizationMember.deleteMany({ where: { userId } });
    await db.groupMember.deleteMany({ where: { userId } });
    await db.user.update({ where: { id: userId }, data: { deleted: true } });
  };

  it('is in no group and no organization that it was being put into', async () => {
    const group = await rows.group({ organizationId: organization.id });
    const elsewhere = await rows.organization();
    for (const put of [
      (id: string): Promise<unknown> => callAsUser(owner.id).groups.update({ group: group.id, add_users: [id] }),
      (id: string) => callAsUser(owner.id).members.add({ organization: elsewhere.id, user: id }),
    ]) {
      const user = await rows.user({ memberOf: [organization.id] });
      const outcome = await meanwhile(prisma, user.id, { work: () => put(user.id), change: deletion(user.id) });
      expect(outcome.status).toBe('rejected');
      if (outcome.status === 'rejected') expect(['BAD_REQUEST', 'NOT_FOUND']).toContain(outcome.reason.code);
      expect(await prisma.groupMember.count({ where: { userId: user.id } })).toBe(0);
      expect(await prisma.organizationMember.count({ where: { userId: user.id } })).toBe(0);
    }
  });

  it.each([
    ['deleted', { deleted: true }, 'account_deleted'],
    ['suspended', { status: 'suspended' }, 'account_suspended'],
  ])('or %s is not signed in to by who comes back from a provider at the same moment', async (_, data, code) => {
    const user = await rows.user({ loginType: 'oidc' });
    const identity = await rows.identity({ userId: user.id });
    const provider = OidcProvider.parse({ type: 'oidc', issuer_url: identity.issuer, client_id: 'berth' });
    const person = {
      issuer: identity.issuer,
      subject: identity.subject,
      email: user.email,
      username: user.username,
      name: '',
      avatarUrl: '',
      refusal: null,
      claims: { idToken: {}, userInfo: {}, merged: {} },
      tokens: { access: null, refresh: null, expiresAt: null },
    };
    const request = { requestId: newId(), ip: '', userAgent: '' };
    const outcome = await meanwhile(prisma, user.id, {
      work: () =>
        prisma.$transaction((db) =>
          accountOf(
            { db, services, request, audit: new AuditRecorder(), principal: { kind: 'anonymous' } },
            { provider, person, convertUserId: '' },
          ),
        ),
      change: (db) => db.user.update({ where: { id: user.id }, data }),
    });
    expect(outcome).toMatchObject(refused(code));
  });
});
