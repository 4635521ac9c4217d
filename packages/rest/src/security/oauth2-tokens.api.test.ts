import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { CALLBACK, CHALLENGE, Tokens, VERIFIER, oauth2Client, refusal, statuses } from '../testing/oauth2-client.ts';

/** OAuth2 as attackers try it. The rules are those of design section 5, and of RFC 6749, 7636, 8252, 9207 and 9700. */
const server = await createTestServer();
const rows = given(server.prisma);
const { register, post, ofClient, codeFor, exchange, granted, refresh, reach } = oauth2Client(server);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

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
    expect(statuses(answers)).toEqual([200, 400, 400]);
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
    expect(statuses(answers)).toEqual([200, 400]);
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
