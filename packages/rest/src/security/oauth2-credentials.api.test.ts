import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { Tokens, oauth2Client, refusal, statuses } from '../testing/oauth2-client.ts';

/** OAuth2 as attackers try it. The rules are those of design section 5, and of RFC 6749, 7636, 8252, 9207 and 9700. */
const server = await createTestServer();
const rows = given(server.prisma);
const { register, post, ofClient, codeFor, exchange, granted, refresh, reach } = oauth2Client(server);

describe('rule: a client is known by its own secret', () => {
  it('so no, a wrong, another application’s or a deleted secret is refused, by form and by header', async () => {
    const [client, other] = [await register(), await register()];
    const code = await codeFor(client, (await rows.user()).id);
    const form = { grant_type: 'authorization_code', code };
    const secrets = ['', 'x', other.secret, client.secret.slice(0, -1), `${client.secret}x`];
    for (const secret of secrets) {
      const byForm = await post('tokens', { ...form, client_id: client.id, client_secret: secret });
      expect(byForm, secret).toMatchObject(refusal('invalid_client', 401));
      const basic = Buffer.from(`${client.id}:${secret}`).toString('base64');
      const byHeader = await post('tokens', form, { authorization: `Basic ${basic}` });
      expect(byHeader, secret).toMatchObject(refusal('invalid_client', 401));
      expect(byHeader.headers['www-authenticate']).toContain('Basic');
    }
    expect((await exchange(client, code)).status).toBe(200);
    const admin = server.callAsUser((await rows.user({ siteRoles: ['owner'] })).id);
    const [secret] = await admin.oauth2Apps.listSecrets({ app: client.id });
    expect(secret?.last_used_at).not.toBeNull();
    await admin.oauth2Apps.deleteSecret({ app: client.id, secretID: secret?.id ?? '' });
    expect(await exchange(client, code)).toMatchObject(refusal('invalid_client', 401));
  });

  it('so a client that names itself twice, or a parameter that is given twice, is refused', async () => {
    const client = await register();
    const basic = { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` };
    expect(await post('tokens', { ...ofClient(client), grant_type: 'refresh_token' }, basic)).toMatchObject(refusal('invalid_request'));
    const twice = await server.app.inject({
      method: 'POST',
      url: '/oauth2/tokens',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `grant_type=refresh_token&grant_type=authorization_code&client_id=${client.id}`,
    });
    expect(twice.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('so a secret in the address is not read', async () => {
    const client = await register();
    const query = new URLSearchParams({
      ...ofClient(client),
      grant_type: 'authorization_code',
      code: await codeFor(client, (await rows.user()).id),
    });
    const response = await server.app.inject({ method: 'POST', url: `/oauth2/tokens?${query.toString()}` });
    expect([response.statusCode, response.json()]).toEqual([400, { error: 'invalid_request', error_description: expect.any(String) }]);
  });

  it('so the cookie of a browser counts for nothing at the token endpoint, whatever page sends it', async () => {
    const { client, tokens, user } = await granted('public');
    const cookie = `berth_session=${await server.keyOf(user.id)}`;
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect(await post('tokens', form, { cookie })).toMatchObject(refusal('invalid_client', 401));
    const answer = await post('tokens', { ...form, client_id: client.id }, { cookie, origin: 'https://app.example.com' });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('so public clients may not ask about tokens', async () => {
    const { client, tokens } = await granted('public');
    expect(await post('introspect', { client_id: client.id, token: tokens.access_token })).toMatchObject(refusal('invalid_client', 401));
  });

  it('and answers with tokens or about them are never cached', async () => {
    const { client, tokens } = await granted();
    for (const answer of [
      await refresh(client, tokens.refresh_token),
      await refresh(client, 'x'),
      await post('introspect', { ...ofClient(client), token: 'x' }),
      await post('device', ofClient(client)),
    ]) {
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': expect.stringContaining('application/json') });
    }
  });

  it.each([
    [{}, 'invalid_request'],
    [{ grant_type: 'password', username: 'x', password: 'x' }, 'unsupported_grant_type'],
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code' }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: '\0' }, 'invalid_request'],
    [{ grant_type: 'refresh_token', refresh_token: 'x'.repeat(5000) }, 'invalid_request'],
  ])('and %o is answered as the protocol says', async (form: Record<string, string>, error) => {
    const client = await register();
    expect(await post('tokens', { ...ofClient(client), ...form })).toMatchObject(refusal(error));
  });
});

describe('rule: authentication joins the live user row', () => {
  it('so access and refresh of a suspended user are refused at once, and a code is too', async () => {
    const { client, tokens, user } = await granted();
    const code = await codeFor(client, user.id);
    const owner = await rows.user({ siteRoles: ['owner'] });
    await server.callAsUser(owner.id).users.suspend({ user: user.id });
    expect(await reach(tokens.access_token)).toEqual([401, 401]);
    expect(await refresh(client, tokens.refresh_token)).toMatchObject(refusal('invalid_grant'));
    expect(await exchange(client, code)).toMatchObject(refusal('invalid_grant'));
    expect((await post('introspect', { ...ofClient(client), token: tokens.access_token })).body).toEqual({ active: false });
  });

  it('so those of a deleted user are, too', async () => {
    const { client, tokens, user } = await granted();
    const owner = await rows.user({ siteRoles: ['owner'] });
    await server.callAsUser(owner.id).users.delete({ user: user.id });
    expect(await reach(tokens.access_token)).toEqual([401, 401]);
    expect(await refresh(client, tokens.refresh_token)).toMatchObject(refusal('invalid_grant'));
  });

  it('so deleting an application ends everything it was given', async () => {
    const { client, tokens } = await granted();
    const owner = await rows.user({ siteRoles: ['owner'] });
    expect(await reach(tokens.access_token)).toEqual([200, 200]);
    await server.callAsUser(owner.id).oauth2Apps.delete({ app: client.id });
    expect(await reach(tokens.access_token)).toEqual([401, 401]);
    expect(await refresh(client, tokens.refresh_token)).toMatchObject(refusal('invalid_client', 401));
  });

  it('so revoking all keys of a user ends refresh tokens and codes on their way, too', async () => {
    const { client, tokens, user } = await granted();
    const code = await codeFor(client, user.id);
    await server.callAsUser(user.id).tokens.deleteAll({ user: 'me' });
    expect(await reach(tokens.access_token)).toEqual([401, 401]);
    expect(await refresh(client, tokens.refresh_token)).toMatchObject(refusal('invalid_grant'));
    expect(await exchange(client, code)).toMatchObject(refusal('invalid_grant'));
  });
});

describe('rule: nobody makes a credential that may do more than the one in use', () => {
  it('so a narrow token approves nothing wider, for applications and devices', async () => {
    const user = await rows.user();
    const client = await register();
    const permissions = ['oauth2_app_code_token:create', 'api_key:create', 'workspace:read', 'user:read', 'api_key:read'];
    const { key } = await server.callAsUser(user.id).tokens.create({ user: 'me', token_name: 'narrow', scope: 'limited', permissions });
    const approve = (scope: string) => {
      const query = new URLSearchParams({ client_id: client.id, response_type: 'code', state: 'x', scope });
      return server.app.inject({ method: 'POST', url: `/oauth2/authorize?${query.toString()}`, headers: { 'service-session-token': key } });
    };
    expect((await approve('all')).statusCode).toBe(403);
    expect((await approve('read_only')).statusCode).toBe(403);
    expect((await approve('workspace:read')).statusCode).toBe(302);
    const begun = (await post('device', { ...ofClient(client), scope: 'all' })).body;
    const principal = await server.services.authenticator.byToken(key, '');
    if (principal === null) throw new Error('the token is not valid');
    const decision = server.callAs(principal).oauth2.approveDevice({ user_code: String(begun['user_code']), approve: true });
    await expect(decision).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('so an application makes no credentials at all, which would outlive its access', async () => {
    const { client, tokens } = await granted();
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    for (const path of ['/users/me/keys', '/users/me/keys/tokens']) {
      expect((await server.rest({ method: 'POST', path, body: {}, headers })).status).toBe(403);
    }
    const url = `/oauth2/authorize?client_id=${client.id}&response_type=code&state=x&scope=workspace:read`;
    expect((await server.app.inject({ method: 'POST', url, headers })).statusCode).toBe(403);
  });
});

describe('rule: a device is approved by the person who holds it in hand, and guesses are slowed down', () => {
  it('so it waits, is told to slow down, is denied for good, and expires', async () => {
    const late = await createTestServer();
    const caller = oauth2Client(late);
    const client = await caller.register('public');
    const person = late.callAsUser((await given(late.prisma).user()).id);
    const begin = async () => (await caller.post('device', { client_id: client.id })).body;
    const poll = (deviceCode: unknown) =>
      caller.post('tokens', {
        client_id: client.id,
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: String(deviceCode),
      });
    const denied = await begin();
    expect(await poll(denied['device_code'])).toMatchObject(refusal('authorization_pending'));
    expect(await poll(denied['device_code'])).toMatchObject(refusal('slow_down'));
    late.clock.advance(5_000);
    expect(await poll(denied['device_code'])).toMatchObject(refusal('slow_down'));
    await person.oauth2.approveDevice({ user_code: String(denied['user_code']), approve: false });
    late.clock.advance(60_000);
    expect(await poll(denied['device_code'])).toMatchObject(refusal('access_denied'));
    await expect(person.oauth2.approveDevice({ user_code: String(denied['user_code']), approve: true })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const forgotten = await begin();
    late.clock.advance(900_000);
    expect(await poll(forgotten['device_code'])).toMatchObject(refusal('expired_token'));
    await expect(person.oauth2.device({ user_code: String(forgotten['user_code']) })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('so its code gives tokens once, to its own client, and a second use ends them', async () => {
    const client = await register('public');
    const thief = await register('public');
    const user = await rows.user();
    const begun = (await post('device', { client_id: client.id, scope: 'all' })).body;
    await server.callAsUser(user.id).oauth2.approveDevice({ user_code: String(begun['user_code']), approve: true });
    const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: String(begun['device_code']) };
    expect(await post('tokens', { ...form, client_id: thief.id })).toMatchObject(refusal('invalid_grant'));
    const answers = await Promise.all([1, 2].map(() => post('tokens', { ...form, client_id: client.id })));
    expect(statuses(answers)).toEqual([200, 400]);
    const tokens = Tokens.parse(answers.find(({ status }) => status === 200)?.body);
    expect(await reach(tokens.access_token)).toEqual([200, 200]);
    await server.prisma.oAuth2ProviderDeviceCode.updateMany({ where: { appId: client.id }, data: { lastPolledAt: null } });
    expect(await post('tokens', { ...form, client_id: client.id })).toMatchObject(refusal('invalid_grant'));
    expect(await reach(tokens.access_token)).toEqual([401, 401]);
  });
});
