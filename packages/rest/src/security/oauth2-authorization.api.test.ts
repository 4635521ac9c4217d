import { hashPasswordForTest } from '@berth/api/testing';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { CHALLENGE, VERIFIER, oauth2Client, refusal } from '../testing/oauth2-client.ts';

/** OAuth2 as attackers try it. The rules are those of design section 5, and of RFC 6749, 7636, 8252, 9207 and 9700. */
const server = await createTestServer();
const rows = given(server.prisma);
const { register, post, ofClient, codeFor, exchange, granted } = oauth2Client(server);

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
      for (const verifier of wrong) {
        expect(await post('tokens', { ...form, code_verifier: verifier })).toMatchObject(refusal('invalid_grant'));
      }
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
