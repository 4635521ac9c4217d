import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { hashPassword } from '../auth/passwords.ts';
import { createTestApi } from '../testing/index.ts';

const { prisma, services, callAs, callAsUser, keyOf } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const admin = await rows.user({ siteRoles: ['user-admin'] });
const OLD = 'correct horse battery staple';
const NEW = 'another horse, another staple';
const passwordHash = await hashPassword(OLD);
const newMember = (overrides = {}) => rows.user({ memberOf: [organization.id], passwordHash, ...overrides });
const signIn = (email: string, password: string) => callAs({ kind: 'anonymous' }).auth.login({ email, password });

describe('one’s own password', () => {
  it('is changed by who knows the old one, and every key ends, with what applications hold', async () => {
    const user = await newMember();
    const keys = [await keyOf(user.id), (await signIn(user.email, OLD)).session_token];
    await rows.oauth2Grant({ userId: user.id });
    for (const key of keys) expect(await services.authenticator.byToken(key, '')).not.toBeNull();

    await callAsUser(user.id).users.updatePassword({ user: 'me', old_password: OLD, password: NEW });
    for (const key of keys) expect(await services.authenticator.byToken(key, '')).toBeNull();
    expect(await prisma.oAuth2ProviderToken.count({ where: { userId: user.id } })).toBe(0);
    await expect(signIn(user.email, OLD)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(signIn(user.email, NEW)).resolves.toBeDefined();
  });

  it('is recorded as a secret that changed, and nothing of it', async () => {
    const user = await newMember();
    await callAsUser(user.id).users.updatePassword({ user: 'me', old_password: OLD, password: NEW });
    const row = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: user.id, action: 'write' } });
    expect(row.diff).toEqual({ hashed_password: { old: '', new: '', secret: true } });
    const { passwordHash: made } = await prisma.user.findUniqueOrThrow({ where: { id: user.id } });
    expect(made).toMatch(/^\$argon2id\$/);
  });

  it.each([
    ['without the old one', { password: NEW }, 'old_password'],
    ['with a wrong old one', { old_password: 'not it', password: NEW }, 'old_password'],
    ['to the same', { old_password: OLD, password: OLD }, 'password'],
    ['to one that is easy to guess', { old_password: OLD, password: 'password' }, 'password'],
    ['to one that is too long', { old_password: OLD, password: 'x1Y '.repeat(17) }, 'password'],
  ])('is not changed %s, and keys go on', async (_, input, field) => {
    const user = await newMember();
    const key = await keyOf(user.id);
    await expect(callAsUser(user.id).users.updatePassword({ user: 'me', ...input })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { validations: [{ field }] },
    });
    expect(await services.authenticator.byToken(key, '')).not.toBeNull();
    expect(await prisma.auditLog.findFirstOrThrow({ where: { resourceId: user.id } })).toMatchObject({ statusCode: 400, diff: {} });
  });

  it('does not exist for an account that signs in another way', async () => {
    const user = await newMember({ loginType: 'oidc', passwordHash: null });
    await expect(callAsUser(user.id).users.updatePassword({ user: 'me', old_password: '', password: NEW })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

describe('the password of another', () => {
  it('is set by an administrator without the old one, but a wrong old one is refused', async () => {
    const user = await newMember();
    const attempt = callAsUser(admin.id).users.updatePassword({ user: user.id, old_password: 'not it', password: NEW });
    await expect(attempt).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await callAsUser(admin.id).users.updatePassword({ user: user.id, password: NEW });
    await expect(signIn(user.email, NEW)).resolves.toBeDefined();
  });

  it('is not set by a key that may do less than a session, nor by an application: it would be a way to more', async () => {
    const user = await newMember();
    const token = await callAsUser(admin.id).tokens.create({
      user: 'me',
      scope: 'limited',
      permissions: ['user:read', 'user:read_personal', 'user:update_personal'],
    });
    const application = await keyOf(admin.id);
    await prisma.apiKey.update({ where: { id: application.split('-')[0] }, data: { loginType: 'oauth2_provider_app' } });
    for (const key of [token.key, application]) {
      const principal = await services.authenticator.byToken(key, '');
      if (principal === null) throw new Error('the key is not valid');
      await expect(callAs(principal).users.updatePassword({ user: user.id, password: NEW })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(signIn(user.email, OLD)).resolves.toBeDefined();
  });

  it('is refused to whoever has fewer rights than they have', async () => {
    const strong = [
      await newMember({ siteRoles: ['owner'] }),
      await newMember({ siteRoles: ['template-admin'] }),
      await rows.user({ passwordHash, memberOf: [{ organizationId: organization.id, roles: ['organization-template-admin'] }] }),
    ];
    for (const { id, email } of strong) {
      await expect(callAsUser(admin.id).users.updatePassword({ user: id, password: NEW })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(signIn(email, OLD)).resolves.toBeDefined();
    }
  });
});
