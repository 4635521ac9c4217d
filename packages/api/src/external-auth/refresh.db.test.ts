import { given } from '@berth/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FAKE_CODE_HOST_CLIENT, always, startFakeCodeHost } from '../testing/fake-code-host.ts';
import { createTestApi } from '../testing/index.ts';
import { linkingBrowser } from '../testing/linking-browser.ts';
import { findLink, openLink } from './link-row.ts';
import { ExternalAuthSettings } from './settings.ts';

const SECOND_MS = 1000;
const host = await startFakeCodeHost({ expiresIn: 3600 });
const client = { ...FAKE_CODE_HOST_CLIENT, type: 'github', authorize_url: `${host.url}/login/oauth/authorize` };
const api = await createTestApi({
  externalAuth: ExternalAuthSettings.parse([
    { ...client, id: 'code' },
    { ...client, id: 'once', no_refresh: true },
  ]),
});
const { prisma, services, clock } = api;

const TOKENS = '/login/oauth/access_token';
const refreshes = (token: string) => host.to(TOKENS).filter(({ form }) => form.get('refresh_token') === token);

async function linked(providerId = 'code') {
  const { id } = await given(prisma).user();
  const browser = linkingBrowser(api, id);
  await browser.link(host, providerId);
  const row = async () => findLink(prisma, { userId: id, providerId });
  const tokens = async () => {
    const found = await row();
    return found === null ? null : openLink(services, found);
  };
  const first = await tokens();
  if (first?.refreshToken === null || first?.refreshToken === undefined) throw new Error('the host granted no refresh token');
  return { id, browser, row, tokens, first: { ...first, refreshToken: first.refreshToken } };
}

const expire = (): void => clock.advance(3600 * SECOND_MS);

afterEach(() => {
  host.intercept = null;
  host.beforeGrant = null;
});

describe('a token that is over', () => {
  it('is renewed when it is asked for, and not before', async () => {
    const { browser, tokens, first, row } = await linked();
    await browser.caller.get({ externalauth: 'code' });
    expect(refreshes(first.refreshToken)).toEqual([]);
    expire();
    expect((await browser.caller.get({ externalauth: 'code' })).authenticated).toBe(true);
    const second = await tokens();
    expect(second?.accessToken).not.toBe(first.accessToken);
    expect(second?.refreshToken).not.toBe(first.refreshToken);
    expect(await row()).toMatchObject({ refreshLease: null, refreshLeaseUntil: null, failure: '' });
  });

  it('is renewed once for all who ask at the same time, on any replica', async () => {
    const { id, browser, first, tokens } = await linked();
    const replica = linkingBrowser({ ...api, services: { ...services } }, id);
    expire();
    const asked = [browser, replica, browser, replica, browser].map(({ caller }) => caller.get({ externalauth: 'code' }));
    for (const answer of await Promise.all(asked)) expect(answer.authenticated).toBe(true);
    expect(refreshes(first.refreshToken)).toHaveLength(1);
    expect((await tokens())?.refreshToken).not.toBe(first.refreshToken);
  });

  it('is renewed although its end was never told, once the host refuses it', async () => {
    const { browser, first, tokens } = await linked();
    host.end(first.accessToken);
    expect((await browser.caller.get({ externalauth: 'code' })).authenticated).toBe(true);
    expect((await tokens())?.accessToken).not.toBe(first.accessToken);
  });

  it('stays over where refreshing is switched off', async () => {
    const { browser, first } = await linked('once');
    expire();
    expect((await browser.caller.list({})).links[0]).toMatchObject({ authenticated: false, validate_error: 'The token is over.' });
    expect(refreshes(first.refreshToken)).toEqual([]);
  });

  it('keeps its refresh token where the host grants no new one', async () => {
    const { browser, first, tokens } = await linked();
    expire();
    host.intercept = ({ path }, response) =>
      path === TOKENS
        ? always(200, { access_token: 'at_next', expires_in: 60 })(EMPTY, response)
        : always(200, { id: 1, login: 'octo' })(EMPTY, response);
    expect((await browser.caller.get({ externalauth: 'code' })).authenticated).toBe(true);
    expect(await tokens()).toMatchObject({ accessToken: 'at_next', refreshToken: first.refreshToken });
  });
});

const EMPTY = { method: '', path: '', authorization: '', body: '', form: new URLSearchParams() };

describe('a refresh that fails', () => {
  it.each(['bad_refresh_token', 'invalid_grant'])('for good with %s drops the refresh token and says so', async (error) => {
    const { browser, row, first } = await linked();
    expire();
    host.intercept = always(400, { error });
    for (let again = 0; again < 2; again += 1) {
      expect((await browser.caller.list({})).links[0]).toMatchObject({
        authenticated: false,
        has_refresh_token: false,
        validate_error: `The service ended the link (${error}).`,
      });
    }
    expect(await row()).toMatchObject({ sealedRefreshToken: null, failure: error });
    expect(refreshes(first.refreshToken)).toHaveLength(1);
    host.intercept = null;
    await browser.link(host, 'code');
    expect((await browser.caller.list({})).links[0]).toMatchObject({ authenticated: true, validate_error: '' });
  });

  it.each([
    ['an outage', always(503)],
    ['a page of HTML', always(200, '<html></html>', { 'content-type': 'text/html' })],
    ['a redirect', always(302, '', { location: 'http://127.0.0.1:1/' })],
    ['a mistake of ours', always(401, { error: 'invalid_client' })],
    ['a token with a line break', always(200, { access_token: 'a\nb' })],
  ])('for now by %s keeps the refresh token, which works later', async (_, answer) => {
    const { browser, tokens, first } = await linked();
    expire();
    host.intercept = answer;
    const { authenticated, has_refresh_token } = (await browser.caller.list({})).links[0] ?? {};
    expect({ authenticated, has_refresh_token }).toEqual({ authenticated: false, has_refresh_token: true });
    expect(await tokens()).toMatchObject({ refreshToken: first.refreshToken });
    host.intercept = null;
    expect((await browser.caller.get({ externalauth: 'code' })).authenticated).toBe(true);
  });

  it('for now is not tried again by each of those who wait for it', async () => {
    const { browser, first } = await linked();
    expire();
    const waiting = vi.spyOn(services.bus, 'waitFor');
    const twoWait = async (): Promise<void> => {
      await vi.waitFor(() => expect(waiting).toHaveBeenCalledTimes(2), { timeout: 5_000 });
      waiting.mockRestore();
    };
    host.intercept = ({ path }, response) => {
      if (path === TOKENS) void twoWait().then(() => always(503)(EMPTY, response));
      return path === TOKENS;
    };
    const answers = await Promise.all([1, 2, 3].map(() => browser.caller.list({})));
    expect(answers.map(({ links }) => links[0]?.authenticated)).toEqual([false, false, false]);
    expect(refreshes(first.refreshToken)).toHaveLength(1);
  });
});

describe('a link that changes while it is refreshed', () => {
  it('is gone for good when it is unlinked, and what was granted is taken back', async () => {
    const { id, browser, row } = await linked();
    expire();
    host.beforeGrant = async () => {
      host.beforeGrant = null;
      await browser.caller.unlink({ externalauth: 'code' });
    };
    expect((await browser.caller.get({ externalauth: 'code' })).authenticated).toBe(false);
    expect(await row()).toBeNull();
    expect(await prisma.externalAuthLink.count({ where: { userId: id } })).toBe(0);
    const revoked = host.to('/api/v3/applications/client/token').slice(-2);
    expect(new Set(revoked.map(({ body }) => body)).size).toBe(2);
  });

  it('keeps the account that was linked anew', async () => {
    const { browser, tokens } = await linked();
    expire();
    let anew: string | undefined;
    host.beforeGrant = async () => {
      host.beforeGrant = null;
      await browser.link(host, 'code');
      anew = (await tokens())?.accessToken;
    };
    expect((await browser.caller.get({ externalauth: 'code' })).authenticated).toBe(true);
    expect((await tokens())?.accessToken).toBe(anew);
  });

  it('is refreshed by the next one when the first died in the middle, after its lease', async () => {
    const { id, browser, first } = await linked();
    expire();
    const key = { userId_providerId: { userId: id, providerId: 'code' } };
    const until = new Date(clock.now().getTime() + 30 * SECOND_MS);
    await prisma.externalAuthLink.update({ where: key, data: { refreshLease: crypto.randomUUID(), refreshLeaseUntil: until } });
    clock.advance(30 * SECOND_MS);
    expect((await browser.caller.get({ externalauth: 'code' })).authenticated).toBe(true);
    expect(refreshes(first.refreshToken)).toHaveLength(1);
  });
});
