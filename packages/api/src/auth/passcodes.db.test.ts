import { randomUUID } from 'node:crypto';
import { given } from '@berth/testing';
import { describe, expect, it, vi } from 'vitest';
import type { RequestFacts } from '../kernel/context.ts';
import type { Mail } from '../kernel/mailer.ts';
import { createTestApi } from '../testing/index.ts';
import { hashPassword } from './passwords.ts';
import { sendPasscode } from './passcodes.ts';

const outbox: Mail[] = [];
const mailer = {
  isConfigured: true,
  send: (mail: Mail) => {
    outbox.push(mail);
    return Promise.resolve();
  },
};
const { prisma, services, clock, callAs, keyOf } = await createTestApi({}, { mailer });
const rows = given(prisma);
const anonymous = callAs({ kind: 'anonymous' });
const OLD = 'correct horse battery staple';
const NEW = 'another horse, another staple';
const passwordHash = await hashPassword(OLD);
const MINUTE_MS = 60_000;
const UUID_V4 = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;
const request: RequestFacts = { requestId: randomUUID(), ip: '192.0.2.1', userAgent: 'test' };

const mailsTo = (email: string) => outbox.filter(({ to }) => to === email);
const newUser = (overrides = {}) => rows.user({ passwordHash, ...overrides });

/** A passcode as its owner gets it, by mail. */
async function passcodeFor(email: string): Promise<string> {
  await sendPasscode(services, { email, request });
  const passcode = UUID_V4.exec(mailsTo(email).at(-1)?.text ?? '')?.[0];
  if (passcode === undefined) throw new Error('no passcode came');
  return passcode;
}
const change = (email: string, one_time_passcode: string, password = NEW) =>
  anonymous.auth.changePasswordWithPasscode({ email, one_time_passcode, password });
const signIn = (email: string, password: string) => anonymous.auth.login({ email, password });

describe('asking for a passcode', () => {
  it('sends it with a link to this deployment, keeps only its hash, and is recorded', async () => {
    const user = await newUser();
    await expect(anonymous.auth.requestPasscode({ email: user.email.toUpperCase() })).resolves.toBeUndefined();
    await vi.waitFor(() => expect(mailsTo(user.email)).toHaveLength(1));
    const mail = mailsTo(user.email)[0];
    const passcode = UUID_V4.exec(mail?.text ?? '')?.[0] ?? '';
    expect(mail?.text).toContain(`http://berth.test/reset-password?email=${encodeURIComponent(user.email)}`);
    expect(passcode).not.toBe('');
    const row = await prisma.user.findUniqueOrThrow({ where: { id: user.id } });
    expect(row.oneTimePasscodeHash).toHaveLength(32);
    expect(Buffer.from(row.oneTimePasscodeHash ?? []).toString()).not.toContain(passcode);
    const audited = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: user.id } });
    expect(audited).toMatchObject({ action: 'request_password_reset', resourceTarget: user.username, statusCode: 204, ip: '192.0.2.1' });
    expect(JSON.stringify(audited)).not.toContain(passcode);
  });

  it('is answered without waiting for anything that depends on whether somebody has the address', async () => {
    const user = await newUser();
    await prisma.$transaction(async (db) => {
      await db.$executeRaw`SELECT 1 FROM users WHERE id = ${user.id}::uuid FOR UPDATE`;
      // The passcode cannot be stored while the row is locked, and the answer is there all the same.
      await expect(anonymous.auth.requestPasscode({ email: user.email })).resolves.toBeUndefined();
    });
    await expect(anonymous.auth.requestPasscode({ email: 'nobody@example.com' })).resolves.toBeUndefined();
    await vi.waitFor(() => expect(mailsTo(user.email)).toHaveLength(1));
  });

  it('sends nothing to accounts that are suspended, deleted, or sign in another way', async () => {
    const accounts = [
      await newUser({ status: 'suspended' }),
      await newUser({ deleted: true }),
      await newUser({ loginType: 'oidc', passwordHash: null }),
      await newUser({ loginType: 'none', passwordHash: null }),
    ];
    for (const { email, id } of accounts) {
      await sendPasscode(services, { email, request });
      expect(mailsTo(email)).toEqual([]);
      expect(await prisma.user.findUniqueOrThrow({ where: { id } })).toMatchObject({ oneTimePasscodeHash: null });
      expect(await prisma.auditLog.count({ where: { resourceId: id } })).toBe(0);
    }
  });

  it('refuses what is no address', async () => {
    await expect(anonymous.auth.requestPasscode({ email: 'nobody' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('without a mail server answers the same, makes no passcode, and leaves a warning in the log', async () => {
    const user = await newUser();
    const warn = vi.fn<(facts: object, message: string) => void>();
    const unsent = { isConfigured: false, send: () => Promise.reject(new Error('must not be called')) };
    const bare = { ...services, mailer: unsent, log: { ...services.log, warn } };
    await sendPasscode(bare, { email: user.email, request });
    expect(warn).toHaveBeenCalledExactlyOnceWith({ request_id: request.requestId }, expect.stringContaining('no mail server'));
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ oneTimePasscodeHash: null });
  });
});

describe('a passcode', () => {
  it('sets a new password once, and ends every key', async () => {
    const user = await newUser();
    const key = await keyOf(user.id);
    expect(await services.authenticator.byToken(key, '')).not.toBeNull();
    const passcode = await passcodeFor(user.email);
    await change(user.email, passcode.toUpperCase());
    expect(await services.authenticator.byToken(key, '')).toBeNull();
    await expect(signIn(user.email, OLD)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(signIn(user.email, NEW)).resolves.toBeDefined();
    await expect(change(user.email, passcode, 'a third horse, a third staple')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const row = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: user.id, action: 'write' } });
    expect(row).toMatchObject({ userId: user.id, statusCode: 204, diff: { hashed_password: { old: '', new: '', secret: true } } });
  });

  it('of two who use it at once lets one in', async () => {
    const user = await newUser();
    const passcode = await passcodeFor(user.email);
    const both = await Promise.allSettled([change(user.email, passcode), change(user.email, passcode)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('is good for twenty minutes', async () => {
    const [early, late] = [await newUser(), await newUser()];
    const [first, second] = [await passcodeFor(early.email), await passcodeFor(late.email)];
    clock.advance(20 * MINUTE_MS - 1);
    await expect(change(early.email, first)).resolves.toBeUndefined();
    clock.advance(1);
    await expect(change(late.email, second)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(signIn(late.email, OLD)).resolves.toBeDefined();
  });

  it('is replaced by the next one', async () => {
    const user = await newUser();
    const [first, second] = [await passcodeFor(user.email), await passcodeFor(user.email)];
    await expect(change(user.email, first)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(change(user.email, second)).resolves.toBeUndefined();
  });

  it('of one account opens no other, and a wrong one answers as an unknown address does', async () => {
    const [mine, theirs] = [await newUser(), await newUser()];
    const passcode = await passcodeFor(mine.email);
    await passcodeFor(theirs.email);
    const refusals = await Promise.all(
      [theirs.email, 'nobody@example.com', (await newUser()).email].map((email) =>
        change(email, passcode).catch((error: unknown) => JSON.stringify((error as { cause: unknown }).cause)),
      ),
    );
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain('one_time_passcode');
  });

  it('is not spent by a password that is refused', async () => {
    const user = await newUser();
    const passcode = await passcodeFor(user.email);
    for (const password of ['password', OLD]) {
      await expect(change(user.email, passcode, password)).rejects.toMatchObject({ cause: { validations: [{ field: 'password' }] } });
    }
    await expect(change(user.email, passcode)).resolves.toBeUndefined();
  });

  it('ends with any other change of the password, and with suspension', async () => {
    const user = await newUser();
    const passcode = await passcodeFor(user.email);
    const admin = await rows.user({ siteRoles: ['user-admin'] });
    const principal = await services.authenticator.byToken(await keyOf(admin.id), '');
    if (principal === null) throw new Error('no key');
    await callAs(principal).users.updatePassword({ user: user.id, password: 'set by an administrator' });
    await expect(change(user.email, passcode)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const next = await passcodeFor(user.email);
    await callAs(principal).users.suspend({ user: user.id });
    await expect(change(user.email, next)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
