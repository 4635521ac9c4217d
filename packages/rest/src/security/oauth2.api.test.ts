import { hashPasswordForTest } from '@berth/api/testing';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { CALLBACK, CHALLENGE, Tokens, VERIFIER, oauth2Client } from '../testing/oauth2-client.ts';

/** OAuth2 as attackers try it. The rules are those of design section 5, and of RFC 6749, 7636, 8252, 9207 and 9700. */
const server = await createTestServer();
const rows = given(server.prisma);
const { register, post, ofClient, codeFor, exchange, refresh, reach } = oauth2Client(server);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

async function granted(clientType: 'confidential' | 'public' = 'confidential', scope = 'all') {
  const client = await register(clientType);
  const user = await rows.user();
  const answer = await exchange(client, await codeFor(client, user.id, { scope }));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { client, user, tokens: Tokens.parse(answer.body) };
}

const refusal = (error: string, status = 400) => ({ status, body: { error, error_description: expect.any(String) } });

describe('rule: redirect URIs compare exactly', () => {
  it.each([
    'https://app.example.com/callback/',
    'https://app.example.com/Callback',
    'https://APP.example.com/callback',
    'https://app.example.com/callback?next=1',
    'https://app.example.com/callback#fragment',
    'https://app.example.com/callback/../callback',
    'https://app.example.com/%63allback',
    'https://app.example.com:443/callback',
    'https://app.example.com./callback',
    'https://user@app.example.com/callback',
    'https://app.example.com@evil.example/callback',
    'https://app.example.com.evil.example/callback',
    'https://evil.example/callback',
    'http://app.example.com/callback',
    'https://app.example.com/callback ',
    ' https://app.example.com/callback',
    'https://app.example.com/call\tback',
    '//app.example.com/callback',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('so "%s" is refused on a page of ours, and the browser goes nowhere', async (uri) => {
    const client = await register();
    const key = await server.keyOf((await rows.user()).id);
    const query = new URLSearchParams({ client_id: client.id, response_type: 'code', state: 'x', redirect_uri: uri });
    const response = await server.app.inject({
      method: 'POST',
      url: `/oauth2/authorize?${query.toString()}`,
      headers: { 'service-session-token': key },
    });
    expect(response.statusCode).toBe(400);
    expect(response.headers['location']).toBeUndefined();
    expect(response.json()).toMatchObject({ validations: [{ field: 'redirect_uri' }] });
  });

  it('but for the port of a public client on a loopback address', async () => {
    const user = await rows.user();
    const ask = async (callback: string, uri: string, clientType: 'public' | 'confidential' = 'public'): Promise<boolean> => {
      const client = await register(clientType, callback);
      return await codeFor(client, user.id, { redirect_uri: uri, code_challenge: CHALLENGE }).then(
        () => true,
        () => false,
      );
    };
    expect(await ask('http://127.0.0.1/back', 'http://127.0.0.1:51004/back')).toBe(true);
    expect(await ask('http://127.0.0.1:80/back', 'http://127.0.0.1:1/back')).toBe(true);
    expect(await ask('http://[::1]/back', 'http://[::1]:51004/back')).toBe(true);
    expect(await ask('http://127.0.0.1/back', 'http://127.0.0.1:51004/other')).toBe(false);
    expect(await ask('http://127.0.0.1/back', 'http://[::1]:51004/back')).toBe(false);
    expect(await ask('http://127.0.0.1/back', 'http://127.0.0.1:51004@evil.example/back')).toBe(false);
    expect(await ask('http://127.0.0.1/back', 'http://127.0.0.1.evil.example/back')).toBe(false);
    expect(await ask('http://127.0.0.1/back', 'https://127.0.0.1:51004/back')).toBe(false);
    expect(await ask('http://localhost/back', 'http://localhost:51004/back')).toBe(false);
    expect(await ask('https://app.example.com/back', 'https://app.example.com:8443/back')).toBe(false);
    expect(await ask('http://127.0.0.1/back', 'http://127.0.0.1:51004/back', 'confidential')).toBe(false);
  });

  it('and what the application has in its query stays as it is', async () => {
    const callback = 'https://app.example.com/callback?a=%20b&c=d';
    const client = await register('confidential', callback);
    const person = server.callAsUser((await rows.user()).id);
    const { redirect_url: url } = await person.oauth2.approve({
      client_id: client.id,
      response_type: 'code',
      state: 'x&y=z',
      approve: true,
    });
    expect(url.startsWith(`${callback}&code=berth_`)).toBe(true);
    const { searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({ state: 'x&y=z', iss: 'http://berth.test' });
  });
});

describe('rule: an unknown application is never answered by redirect', () => {
  it.each(['', 'x', '00000000-0000-0000-0000-000000000000', "' OR 1=1 --"])('so client_id "%s" is refused', async (id) => {
    const key = await server.keyOf((await rows.user()).id);
    const query = new URLSearchParams({ client_id: id, response_type: 'code', state: 'x', redirect_uri: 'https://evil.example' });
    const response = await server.app.inject({
      method: 'POST',
      url: `/oauth2/authorize?${query.toString()}`,
      headers: { 'service-session-token': key },
    });
    expect(response.statusCode).toBe(400);
    expect(response.headers['location']).toBeUndefined();
  });
});

describe('rule: PKCE is required for public clients', () => {
  const base = { response_type: 'code', state: 'a-state', approve: true };

  it.each([
    [{}, 'invalid_request'],
    [{ code_challenge: CHALLENGE }, 'invalid_request'],
    [{ code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: CHALLENGE, code_challenge_method: 's256' }, 'invalid_request'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge: `${CHALLENGE}=`, code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{ response_type: 'token', code_challenge: CHALLENGE, code_challenge_method: 'S256' }, 'unsupported_response_type'],
    [{ scope: 'admin', code_challenge: CHALLENGE, code_challenge_method: 'S256' }, 'invalid_scope'],
  ])('so %o gets no code', async (more, error) => {
    const client = await register('public');
    const person = server.callAsUser((await rows.user()).id);
    const { redirect_url: url } = await person.oauth2.approve({ ...base, client_id: client.id, ...more });
    const answer = Object.fromEntries(new URL(url).searchParams);
    expect(answer).toMatchObject({ error, state: 'a-state', iss: 'http://berth.test' });
    expect(answer).not.toHaveProperty('code');
  });

  it('and a code that was asked for with a challenge needs its verifier, from clients with a secret too', async () => {
    const user = await rows.user();
    for (const client of [await register('public'), await register('confidential')]) {
      const code = await codeFor(client, user.id, { code_challenge: CHALLENGE });
      const form = { ...ofClient(client), grant_type: 'authorization_code', code };
      const wrong = ['', CHALLENGE, VERIFIER.slice(0, 42), `${VERIFIER}x`, VERIFIER.toUpperCase()];
      for (const verifier of wrong)
        expect(await post('tokens', { ...form, code_verifier: verifier })).toMatchObject(refusal('invalid_grant'));
      expect(await post('tokens', form)).toMatchObject(refusal('invalid_grant'));
      expect((await post('tokens', { ...form, code_verifier: VERIFIER })).status).toBe(200);
    }
  });

  it('and a verifier without a challenge is a sign that the challenge was taken out on the way', async () => {
    const client = await register('confidential');
    const code = await codeFor(client, (await rows.user()).id);
    expect(await exchange(client, code, { code_verifier: VERIFIER })).toMatchObject(refusal('invalid_grant'));
  });

  it('and without a challenge the state must be there', async () => {
    const client = await register('confidential');
    const person = server.callAsUser((await rows.user()).id);
    const ask = async (more: object): Promise<URLSearchParams> => {
      const request = { client_id: client.id, response_type: 'code', approve: true, ...more };
      return new URL((await person.oauth2.approve(request)).redirect_url).searchParams;
    };
    expect((await ask({})).get('error')).toBe('invalid_request');
    expect((await ask({ state: '' })).get('error')).toBe('invalid_request');
    const proven = await ask({ code_challenge: CHALLENGE, code_challenge_method: 'S256' });
    expect([proven.has('code'), proven.has('state')]).toEqual([true, false]);
  });
});

describe('rule: a code is for one client, one redirect, once, for ten minutes', () => {
  it('so another client gets nothing for it, and its own client still does', async () => {
    const [own, other, open] = [await register(), await register(), await register('public')];
    const code = await codeFor(own, (await rows.user()).id, { code_challenge: CHALLENGE });
    for (const thief of [other, open]) {
      expect(await exchange(thief, code, { code_verifier: VERIFIER })).toMatchObject(refusal('invalid_grant'));
    }
    expect((await exchange(own, code, { code_verifier: VERIFIER })).status).toBe(200);
  });

  it('so the redirect URI of the request must be the one of the exchange', async () => {
    const client = await register();
    const code = await codeFor(client, (await rows.user()).id, { redirect_uri: CALLBACK });
    expect(await exchange(client, code)).toMatchObject(refusal('invalid_grant'));
    expect(await exchange(client, code, { redirect_uri: `${CALLBACK}/` })).toMatchObject(refusal('invalid_grant'));
    expect((await exchange(client, code, { redirect_uri: CALLBACK })).status).toBe(200);
  });

  it('so a second use ends what came of the first', async () => {
    const client = await register();
    const code = await codeFor(client, (await rows.user()).id);
    const tokens = Tokens.parse((await exchange(client, code)).body);
    expect(await reach(tokens.access_token)).toEqual([200, 200]);
    expect(await exchange(client, code)).toMatchObject(refusal('invalid_grant'));
    expect(await reach(tokens.access_token)).toEqual([401, 401]);
    expect(await refresh(client, tokens.refresh_token)).toMatchObject(refusal('invalid_grant'));
  });

  it('so of two exchanges at the same time at most one gets tokens, and they do not outlive the other', async () => {
    const client = await register();
    const code = await codeFor(client, (await rows.user()).id);
    const answers = await Promise.all([exchange(client, code), exchange(client, code), exchange(client, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    const won = Tokens.parse(answers.find(({ status }) => status === 200)?.body);
    expect(await reach(won.access_token)).toEqual([401, 401]);
  });

  it('so it is worth nothing after ten minutes', async () => {
    const late = await createTestServer();
    const caller = oauth2Client(late);
    const client = await caller.register();
    const user = await given(late.prisma).user();
    const [first, second] = [await caller.codeFor(client, user.id), await caller.codeFor(client, user.id)];
    late.clock.advance(10 * MINUTE_MS - 1);
    expect((await caller.exchange(client, first)).status).toBe(200);
    late.clock.advance(1);
    expect(await caller.exchange(client, second)).toMatchObject(refusal('invalid_grant'));
  });

  it('so nothing in it can be guessed or changed', async () => {
    const client = await register();
    const code = await codeFor(client, (await rows.user()).id);
    const changed = [`${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`, code.toLowerCase(), code.slice(0, -1), `${code} `, '%', '_'];
    for (const text of changed) expect(await exchange(client, text)).toMatchObject(refusal('invalid_grant'));
  });
});

describe('rule: a refresh token works once, and reuse ends the family', () => {
  it('with its access tokens, on every door, and it is written down', async () => {
    const { client, tokens, user } = await granted('public');
    const second = Tokens.parse((await refresh(client, tokens.refresh_token)).body);
    const third = Tokens.parse((await refresh(client, second.refresh_token)).body);
    expect(await refresh(client, tokens.refresh_token)).toMatchObject(refusal('invalid_grant'));
    expect(await reach(third.access_token)).toEqual([401, 401]);
    expect(await refresh(client, third.refresh_token)).toMatchObject(refusal('invalid_grant'));
    const row = await server.prisma.auditLog.findFirstOrThrow({
      where: { userId: user.id, resourceType: 'oauth2_provider_app_token', action: 'delete' },
    });
    expect(row.additionalFields).toMatchObject({ reason: 'refresh token used twice' });
    expect(JSON.stringify(row)).not.toContain(tokens.refresh_token.split('_')[2]);
  });

  it('also when both uses come at the same time: one wins, and nothing is left to either', async () => {
    const { client, tokens } = await granted();
    const answers = await Promise.all([refresh(client, tokens.refresh_token), refresh(client, tokens.refresh_token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const won = Tokens.parse(answers.find(({ status }) => status === 200)?.body);
    expect(await reach(won.access_token)).toEqual([401, 401]);
  });

  it('while other grants of the same application go on', async () => {
    const { client, tokens, user } = await granted();
    const other = Tokens.parse((await exchange(client, await codeFor(client, user.id))).body);
    await refresh(client, tokens.refresh_token);
    await refresh(client, tokens.refresh_token);
    expect(await reach(other.access_token)).toEqual([200, 200]);
  });

  it('and another client gets nothing for it, nor does it end by that', async () => {
    const { client, tokens } = await granted();
    for (const thief of [await register(), await register('public')]) {
      expect(await refresh(thief, tokens.refresh_token)).toMatchObject(refusal('invalid_grant'));
      expect((await post('revoke', { ...ofClient(thief), token: tokens.refresh_token })).status).toBe(200);
      expect((await post('revoke', { ...ofClient(thief), token: tokens.access_token })).status).toBe(200);
    }
    const curious = await register();
    expect((await post('introspect', { ...ofClient(curious), token: tokens.access_token })).body).toEqual({ active: false });
    expect((await refresh(client, tokens.refresh_token)).status).toBe(200);
  });

  it('and asks for no more than was given', async () => {
    const { client, tokens } = await granted('confidential', 'read_only');
    for (const scope of ['all', 'workspace:start', 'read_only workspace:start', 'nonsense']) {
      expect(await refresh(client, tokens.refresh_token, { scope })).toMatchObject(refusal('invalid_scope'));
    }
    const narrow = Tokens.parse((await refresh(client, tokens.refresh_token, { scope: 'workspace:read' })).body);
    expect(narrow.scope).toBe('workspace:read');
    expect(await reach(narrow.access_token)).toEqual([404, 404]);
    expect(Tokens.parse((await refresh(client, narrow.refresh_token)).body).scope).toBe('read_only');
  });

  it('and ends after thirty days without use, and after a year whatever happens', async () => {
    const late = await createTestServer();
    const caller = oauth2Client(late);
    const client = await caller.register();
    const user = await given(late.prisma).user();
    const grant = async () => Tokens.parse((await caller.exchange(client, await caller.codeFor(client, user.id))).body);
    const idle = await grant();
    late.clock.advance(30 * DAY_MS);
    expect(await caller.refresh(client, idle.refresh_token)).toMatchObject(refusal('invalid_grant'));
    let { refresh_token: current } = await grant();
    for (let day = 25; day < 365; day += 25) {
      late.clock.advance(25 * DAY_MS);
      current = Tokens.parse((await caller.refresh(client, current)).body).refresh_token;
    }
    late.clock.advance(15 * DAY_MS);
    expect(await caller.refresh(client, current)).toMatchObject(refusal('invalid_grant'));
  });
});

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

describe('rule: unsafe methods with a cookie need the CSRF token, and no page is framed', () => {
  it('so a foreign page can approve nothing', async () => {
    const user = await rows.user({ passwordHash: await hashPasswordForTest('correct horse battery staple') });
    const login = await server.app.inject({
      method: 'POST',
      url: '/api/v2/users/login',
      payload: JSON.stringify({ email: user.email, password: 'correct horse battery staple' }),
    });
    const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const csrf = login.cookies.find(({ name }) => name === 'berth_csrf')?.value ?? '';
    const client = await register();
    const url = `/oauth2/authorize?client_id=${client.id}&response_type=code&state=x`;
    const host = 'berth.test';
    const ask = (headers: Record<string, string>) => server.app.inject({ method: 'POST', url, headers: { cookie, host, ...headers } });
    expect((await ask({})).statusCode).toBe(400);
    expect((await ask({ 'x-csrf-token': 'guess' })).statusCode).toBe(400);
    expect((await ask({ 'x-csrf-token': csrf, origin: 'https://evil.example' })).statusCode).toBe(400);
    expect((await server.app.inject({ method: 'POST', url })).statusCode).toBe(401);
    expect(await server.prisma.oAuth2ProviderCode.count({ where: { userId: user.id } })).toBe(0);
    const approved = await ask({ 'x-csrf-token': csrf, origin: 'http://berth.test' });
    expect([approved.statusCode, approved.headers['cache-control']]).toEqual([302, 'no-store']);
  });

  it('so a bearer token is a credential that no browser sends unasked, and needs none', async () => {
    const { tokens } = await granted();
    const headers = { authorization: `bearer ${tokens.access_token}` };
    const body = { theme_preference: 'dark' };
    expect((await server.rest({ method: 'PUT', path: '/users/me/appearance', body, headers })).status).toBe(200);
    const refused = await server.rest({
      method: 'GET',
      path: '/users/me',
      headers: { authorization: `Bearer ${'0'.repeat(10)}-${'0'.repeat(22)}` },
    });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  it('so the page that asks may not be framed by anyone', async () => {
    const response = await server.app.inject({ url: '/oauth2/authorize?client_id=x' });
    expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const led = await server.app.inject({ url: '/api/v2/oauth2/authorize?client_id=x&state=//evil.example' });
    expect([led.statusCode, led.headers['location']]).toEqual([302, 'http://berth.test/oauth2/authorize?client_id=x&state=//evil.example']);
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
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const tokens = Tokens.parse(answers.find(({ status }) => status === 200)?.body);
    expect(await reach(tokens.access_token)).toEqual([200, 200]);
    await server.prisma.oAuth2ProviderDeviceCode.updateMany({ where: { appId: client.id }, data: { lastPolledAt: null } });
    expect(await post('tokens', { ...form, client_id: client.id })).toMatchObject(refusal('invalid_grant'));
    expect(await reach(tokens.access_token)).toEqual([401, 401]);
  });
});
