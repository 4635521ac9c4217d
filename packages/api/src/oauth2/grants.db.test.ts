import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, services, clock, callAs, callAsUser } = await createTestApi();
const rows = given(prisma);
const admin = await rows.user({ siteRoles: ['owner'] });
const anonymous = callAs({ kind: 'anonymous' }).oauth2;

async function register() {
  const { id, name } = await callAsUser(admin.id).oauth2Apps.create({ name: uniqueName('app'), callback_url: 'https://app.example.com' });
  const [made] = await callAsUser(admin.id).oauth2Apps.createSecret({ app: id });
  return { id, name, client: { client_id: id, client_secret: made?.client_secret_full ?? '' } };
}
type App = Awaited<ReturnType<typeof register>>;

const request = (app: App, scope: string) => ({ client_id: app.id, response_type: 'code', state: 'x', scope });

async function give(app: App, userId: string, scope: string): Promise<{ access_token: string; refresh_token: string }> {
  const { redirect_url: url } = await callAsUser(userId).oauth2.approve({ ...request(app, scope), approve: true });
  const code = new URL(url).searchParams.get('code') ?? '';
  const answer = await anonymous.token({ ...app.client, grant_type: 'authorization_code', code });
  if (answer.status !== 200) throw new Error(answer.body.error_description);
  return answer.body;
}

describe('an authorization request', () => {
  it('shows who asks for what, and whether it was given before', async () => {
    const app = await register();
    const user = await rows.user();
    const { oauth2 } = callAsUser(user.id);
    expect(await oauth2.authorization(request(app, 'workspace:read'))).toEqual({
      app: { id: app.id, name: app.name, icon: '' },
      redirect_uri: 'https://app.example.com',
      scope: 'workspace:read',
      scopes: [{ name: 'workspace:read', description: 'Read workspaces, as far as you may.' }],
      has_consent: false,
      refusal: null,
    });
    await give(app, user.id, 'read_only');
    expect(await oauth2.authorization(request(app, 'workspace:read'))).toMatchObject({ has_consent: true });
    expect(await oauth2.authorization(request(app, 'all'))).toMatchObject({ has_consent: false });
    expect(await callAsUser(admin.id).oauth2.authorization(request(app, 'workspace:read'))).toMatchObject({ has_consent: false });
  });

  it('that is denied gives no code, and says so to the application', async () => {
    const app = await register();
    const user = await rows.user();
    const { redirect_url: url } = await callAsUser(user.id).oauth2.approve({ ...request(app, 'all'), approve: false });
    expect(new URL(url).searchParams.get('error')).toBe('access_denied');
    expect(await prisma.oAuth2ProviderCode.count({ where: { userId: user.id } })).toBe(0);
    expect(await prisma.auditLog.count({ where: { userId: user.id } })).toBe(0);
  });

  it('that is approved, exchanged and revoked is recorded each time, without any secret', async () => {
    const app = await register();
    const user = await rows.user();
    const tokens = await give(app, user.id, 'all');
    await anonymous.revoke({ ...app.client, token: tokens.access_token });
    const audits = await prisma.auditLog.findMany({
      where: { userId: user.id, resourceType: 'oauth2_provider_app_token' },
      orderBy: { time: 'asc' },
    });
    expect(audits.map((audit) => [audit.action, audit.resourceTarget, audit.statusCode])).toEqual([
      ['create', app.name, 200],
      ['create', app.name, 200],
      ['delete', app.name, 200],
    ]);
    const text = JSON.stringify(audits);
    for (const secret of [tokens.access_token.split('-')[1], tokens.refresh_token.split('_')[2], app.client.client_secret]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('the applications of a user', () => {
  it('are listed with all that they were given and their last use, once each', async () => {
    const app = await register();
    const user = await rows.user();
    const first = await give(app, user.id, 'workspace:read');
    await give(app, user.id, 'user:read');
    clock.advance(60_000);
    const at = clock.now().toISOString();
    expect((await anonymous.token({ ...app.client, grant_type: 'refresh_token', refresh_token: first.refresh_token })).status).toBe(200);
    const [grant, ...others] = await callAsUser(user.id).oauth2.grants({});
    expect(others).toEqual([]);
    expect(grant).toMatchObject({ app: { id: app.id, name: app.name }, scope: 'user:read workspace:read', last_used_at: at });
    expect(grant?.created_at).not.toBe(at);
  });

  it('are known to the user and to owners, and to nobody else', async () => {
    const app = await register();
    const [user, stranger] = [await rows.user(), await rows.user()];
    await give(app, user.id, 'all');
    const listed = async (caller: string) => (await callAsUser(caller).oauth2Apps.list({ user_id: user.id })).map(({ id }) => id);
    expect(await listed(user.id)).toEqual([app.id]);
    expect(await listed(admin.id)).toEqual([app.id]);
    expect(await listed(stranger.id)).toEqual([]);
    await callAsUser(user.id).oauth2.revokeApp({ client_id: app.id });
    expect(await listed(user.id)).toEqual([]);
  });

  it('lose everything at once when the user takes it away: tokens, codes on their way, approved devices', async () => {
    const [app, other] = [await register(), await register()];
    const user = await rows.user();
    const person = callAsUser(user.id);
    const tokens = await give(app, user.id, 'all');
    const kept = await give(other, user.id, 'all');
    expect(await services.authenticator.byToken(tokens.access_token, '')).not.toBeNull();
    const { redirect_url: url } = await person.oauth2.approve({ ...request(app, 'all'), approve: true });
    const device = await anonymous.beginDevice({ ...app.client });
    if (device.status !== 200) throw new Error('no device code');
    await person.oauth2.approveDevice({ user_code: device.body.user_code, approve: true });
    await person.oauth2.revokeApp({ client_id: app.id });
    expect(await services.authenticator.byToken(tokens.access_token, '')).toBeNull();
    const attempts = [
      { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
      { grant_type: 'authorization_code', code: new URL(url).searchParams.get('code') ?? '' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: device.body.device_code },
    ];
    for (const attempt of attempts) {
      expect(await anonymous.token({ ...app.client, ...attempt })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    }
    expect(await services.authenticator.byToken(kept.access_token, '')).not.toBeNull();
    await expect(person.oauth2.revokeApp({ client_id: app.id })).resolves.toBeUndefined();
  });

  it('stand among the sessions, by their name, and go with their refresh token when that session is revoked', async () => {
    const app = await register();
    const user = await rows.user();
    const tokens = await give(app, user.id, 'read_only');
    const [session] = await callAsUser(user.id).tokens.listSessions({ user: 'me' });
    expect(session).toMatchObject({ app_name: app.name, login_type: 'oauth2_provider_app', scope: 'read_only', is_current: false });
    await callAsUser(user.id).tokens.delete({ user: 'me', keyid: session?.id ?? '' });
    expect(await anonymous.token({ ...app.client, grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).toMatchObject({
      status: 400,
    });
  });
});

describe('a public client', () => {
  it('has no secrets, and is asked each time', async () => {
    const owner = callAsUser(admin.id);
    const app = await owner.oauth2Apps.create({
      name: uniqueName('app'),
      callback_url: 'http://127.0.0.1/callback',
      client_type: 'public',
    });
    await expect(owner.oauth2Apps.createSecret({ app: app.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await owner.oauth2Apps.update({ app: app.id, client_type: 'confidential' })).toMatchObject({ client_type: 'confidential' });
    await expect(owner.oauth2Apps.createSecret({ app: app.id })).resolves.toHaveLength(1);
  });
});
