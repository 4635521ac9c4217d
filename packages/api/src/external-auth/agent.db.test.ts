import { given } from '@berth/testing';
import { describe, expect, it, vi } from 'vitest';
import { FAKE_CODE_HOST_CLIENT, always, startFakeCodeHost } from '../testing/fake-code-host.ts';
import { createTestApi } from '../testing/index.ts';
import { linkingBrowser } from '../testing/linking-browser.ts';
import { appRouter } from '../router.ts';
import { ExternalAuthSettings } from './settings.ts';

const host = await startFakeCodeHost();
const at = (path: string): string => `${host.url}${path}`;
const client = { ...FAKE_CODE_HOST_CLIENT, type: 'github', authorize_url: at('/login/oauth/authorize') };
const others = {
  pkce: true,
  ...FAKE_CODE_HOST_CLIENT,
  token_url: at('/login/oauth/access_token'),
  authorize_url: at('/login/oauth/authorize'),
};
const api = await createTestApi({
  externalAuth: ExternalAuthSettings.parse([
    { ...client, id: 'first', regex: '^https://code\\.example/' },
    { ...client, id: 'last', regex: '^https://code\\.example/team/' },
    { ...others, id: 'gitlab', type: 'gitlab', validate_url: at('/api/v3/user') },
    { ...others, id: 'bucket', type: 'bitbucket-cloud', validate_url: at('/api/v3/user') },
    { ...others, id: 'other', type: 'forge' },
  ]),
});
const { prisma, services } = api;
const rows = given(prisma);

/** A workspace with its agent, by the token that the agent sends. */
async function withAgent() {
  const { workspace, owner, job, template } = await rows.workspace({});
  const { token } = await rows.agent({ jobId: job.id });
  const authenticate = async () => (await services.authenticator.byToken(token, '')) ?? { kind: 'anonymous' as const };
  const { agentApi } = appRouter.createCaller({
    services,
    authenticate,
    request: { requestId: 'r', ip: '', userAgent: '' },
    response: { setCookie: () => undefined },
  });
  return { agent: agentApi, owner, workspace, template, browser: linkingBrowser(api, owner.id) };
}

describe('an agent that asks for a token', () => {
  it('is told where its owner links an account, until there is one; then gets it in git’s form', async () => {
    const { agent, browser } = await withAgent();
    const unlinked = {
      access_token: '',
      token_extra: {},
      url: 'http://berth.test/external-auth/first',
      type: 'github',
      username: '',
      password: '',
    };
    expect(await agent.externalAuth({ id: 'first' })).toEqual(unlinked);
    await browser.link(host, 'first');
    const { access_token, ...rest } = await agent.externalAuth({ id: 'first' });
    expect(access_token).toMatch(/^at_/);
    expect(rest).toMatchObject({ url: '', type: 'github', username: access_token, password: '', token_extra: { scope: 'repo' } });
  });

  it.each([
    ['gitlab', (token: string) => ({ username: 'oauth2', password: token })],
    ['bucket', (token: string) => ({ username: 'x-token-auth', password: token })],
    ['other', (token: string) => ({ username: token, password: '' })],
  ])('gets credentials as %s reads them', async (id, expected) => {
    const { agent, browser } = await withAgent();
    await browser.link(host, id);
    const { access_token, username, password } = await agent.externalAuth({ id });
    expect({ username, password }).toEqual(expected(access_token));
  });

  it('finds a provider by the address that git wants; of several the last counts', async () => {
    const { agent } = await withAgent();
    const urlFor = async (match: string) => (await agent.externalAuth({ match })).url;
    expect(await urlFor('https://code.example/a.git')).toMatch(/first$/);
    expect(await urlFor('https://code.example/team/a.git')).toMatch(/last$/);
    await expect(urlFor('https://elsewhere.example/a.git')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(agent.externalAuth({ id: 'nothing' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('asks by one thing: an address or an id', async () => {
    const { agent } = await withAgent();
    for (const input of [{}, { id: '', match: '' }, { id: 'first', match: 'https://code.example/' }]) {
      await expect(agent.externalAuth(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  it('is sent to link anew when the token was revoked, and told to come back while the host is away', async () => {
    const { agent, browser } = await withAgent();
    await browser.link(host, 'first');
    host.intercept = always(401);
    expect((await agent.externalAuth({ id: 'first' })).url).toMatch(/first$/);
    host.intercept = always(502);
    await expect(agent.externalAuth({ id: 'first' })).rejects.toMatchObject({ cause: { kind: 'unavailable' } });
    host.intercept = null;
  });
});

/** Resolves when the agent's question waits for news. */
function whenWaiting(): Promise<void> {
  const waiting = vi.spyOn(services.bus, 'waitFor');
  return vi.waitFor(() => expect(waiting).toHaveBeenCalled()).finally(() => waiting.mockRestore());
}

describe('an agent that listens', () => {
  it('gets the token as soon as its owner links an account', async () => {
    const { agent, browser } = await withAgent();
    const waits = whenWaiting();
    const answer = agent.externalAuth({ id: 'first', listen: true });
    await waits;
    await browser.link(host, 'first');
    expect((await answer).access_token).toMatch(/^at_/);
  });

  it('security: gets nothing once its owner was suspended while it waited', async () => {
    const { agent, browser, owner } = await withAgent();
    const waits = whenWaiting();
    const answer = agent.externalAuth({ id: 'first', listen: true });
    await waits;
    await prisma.user.update({ where: { id: owner.id }, data: { status: 'suspended' } });
    const refused = expect(answer).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await browser.link(host, 'first');
    await refused;
  });
});

describe('security: an agent gets its own owner’s secrets, and only while its build is the latest', () => {
  it('never sees another user’s link', async () => {
    const [one, two] = await Promise.all([withAgent(), withAgent()]);
    await one.browser.link(host, 'first');
    expect((await two.agent.externalAuth({ id: 'first' })).access_token).toBe('');
  });

  it('is nobody once a newer build stands in for it, or its workspace is deleted', async () => {
    const [rebuilt, deleted] = await Promise.all([withAgent(), withAgent()]);
    await rebuilt.browser.link(host, 'first');
    await rows.build({ workspace: rebuilt.workspace, templateVersionId: rebuilt.template.activeVersionId });
    await prisma.workspace.update({ where: { id: deleted.workspace.id }, data: { deleted: true } });
    for (const { agent } of [rebuilt, deleted]) {
      await expect(agent.externalAuth({ id: 'first' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await expect(agent.gitSshKey({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });
});
