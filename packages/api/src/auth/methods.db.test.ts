import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { SignOnSettings } from '../sign-on/settings.ts';
import { createTestApi } from '../testing/index.ts';
import { hashPassword } from './passwords.ts';

const PASSWORD = 'correct horse battery staple';
const signOn = SignOnSettings.parse({
  password_enabled: false,
  terms_of_service_url: 'https://example.com/terms',
  providers: [
    {
      type: 'oidc',
      id: 'work',
      display_name: 'Work',
      icon_url: '/icon/work.svg',
      issuer_url: 'https://id.example.com',
      client_id: 'berth',
    },
    { type: 'oidc', id: 'partners', issuer_url: 'https://partners.example.com', client_id: 'berth' },
  ],
});
const open = await createTestApi();
const closed = await createTestApi({ signOn });
const anonymous = closed.callAs({ kind: 'anonymous' });

describe('the ways to sign in', () => {
  it('are those of the settings', async () => {
    expect(await anonymous.auth.methods({})).toEqual({
      terms_of_service_url: 'https://example.com/terms',
      password: { enabled: false },
      codehost: { enabled: false },
      oidc: { enabled: true, signInText: 'Work', iconUrl: '/icon/work.svg' },
      providers: [
        { id: 'work', type: 'oidc', display_name: 'Work', icon_url: '/icon/work.svg' },
        { id: 'partners', type: 'oidc', display_name: 'OpenID Connect', icon_url: '' },
      ],
      password_reset: { enabled: false },
    });
    expect(await open.callAs({ kind: 'anonymous' }).auth.methods({})).toMatchObject({
      password: { enabled: true },
      oidc: { enabled: false, signInText: '', iconUrl: '' },
      providers: [],
      password_reset: { enabled: false },
    });
  });
});

describe('where passwords are turned off', () => {
  const rows = given(closed.prisma);

  it('owners still sign in with theirs, and nobody else', async () => {
    const passwordHash = await hashPassword(PASSWORD);
    const [owner, admin] = [
      await rows.user({ passwordHash, siteRoles: ['owner'] }),
      await rows.user({ passwordHash, siteRoles: ['user-admin'] }),
    ];
    await expect(anonymous.auth.login({ email: owner.email, password: PASSWORD })).resolves.toBeDefined();
    await expect(anonymous.auth.login({ email: admin.email, password: PASSWORD })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(anonymous.auth.login({ email: admin.email, password: 'wrong' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('no passcode is sent or taken', async () => {
    const email = 'nobody@example.com';
    await expect(anonymous.auth.requestPasscode({ email })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const attempt = anonymous.auth.changePasswordWithPasscode({ email, password: PASSWORD, one_time_passcode: '' });
    await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('no account with a password is made, but accounts of the providers are', async () => {
    const owner = await rows.user({ siteRoles: ['owner'] });
    const organization = await rows.organization();
    const create = (fields: object) => {
      const username = uniqueName('user');
      const account = { email: `${username}@example.com`, username, organization_ids: [organization.id], ...fields };
      return closed.callAsUser(owner.id).users.create(account);
    };
    await expect(create({ password: PASSWORD })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(create({ login_type: 'oidc' })).resolves.toMatchObject({ login_type: 'oidc' });
    await expect(create({ login_type: 'none' })).resolves.toMatchObject({ login_type: 'none' });
    await expect(create({ login_type: 'codehost' })).rejects.toMatchObject({ cause: { validations: [{ field: 'login_type' }] } });
    await expect(create({ login_type: 'oidc', password: PASSWORD })).rejects.toMatchObject({
      cause: { validations: [{ field: 'password' }] },
    });
  });
});

describe('checking a password', () => {
  it('says whether it is good enough, and why not', async () => {
    expect(await anonymous.auth.validatePassword({ password: PASSWORD })).toEqual({ valid: true, details: '' });
    const weak = await anonymous.auth.validatePassword({ password: 'hunter2' });
    expect(weak).toEqual({ valid: false, details: expect.stringContaining('Too easy to guess') });
    const long = await anonymous.auth.validatePassword({ password: 'x1Y '.repeat(17) });
    expect(long).toEqual({ valid: false, details: expect.stringContaining('at most 64') });
  });
});
