import { describe, expect, it } from 'vitest';
import { ExternalAuthSettings } from './settings.ts';

const one = (settings: Record<string, unknown>) => {
  const [provider] = ExternalAuthSettings.parse([{ id: 'x', client_id: 'c', ...settings }]);
  if (provider === undefined) throw new Error('no provider');
  return provider;
};
const issuesOf = (...settings: Record<string, unknown>[]): string[] =>
  ExternalAuthSettings.safeParse(settings.map((given, index) => ({ id: `x${index}`, client_id: 'c', ...given }))).error?.issues.map(
    (issue) => `${issue.path.join('.')} ${issue.message}`,
  ) ?? [];

describe('a known kind', () => {
  it.each([
    ['github', 'https://github.com/login/oauth/authorize', 'https://github.com/login/oauth/access_token', 'https://api.github.com/user'],
    ['gitlab', 'https://gitlab.com/oauth/authorize', 'https://gitlab.com/oauth/token', 'https://gitlab.com/oauth/token/info'],
    ['gitea', 'https://gitea.com/login/oauth/authorize', 'https://gitea.com/login/oauth/access_token', 'https://gitea.com/api/v1/user'],
    [
      'bitbucket-cloud',
      'https://bitbucket.org/site/oauth2/authorize',
      'https://bitbucket.org/site/oauth2/access_token',
      'https://api.bitbucket.org/2.0/user',
    ],
    ['slack', 'https://slack.com/oauth/v2/authorize', 'https://slack.com/api/oauth.v2.access', 'https://slack.com/api/auth.test'],
    ['azure-devops', 'https://app.vssps.visualstudio.com/oauth2/authorize', 'https://app.vssps.visualstudio.com/oauth2/token', undefined],
  ])('%s needs no address', (type, authorizeUrl, tokenUrl, validateUrl) => {
    expect(one({ type })).toMatchObject({ authorizeUrl, tokenUrl, validateUrl });
  });

  it.each([
    ['github', '/login/oauth/authorize', { tokenUrl: '/login/oauth/access_token', validateUrl: '/api/v3/user' }],
    ['gitlab', '/oauth/authorize', { tokenUrl: '/oauth/token', revokeUrl: '/oauth/revoke', userInfoUrl: '/api/v4/user' }],
    ['gitea', '/login/oauth/authorize', { tokenUrl: '/login/oauth/access_token', userInfoUrl: '/api/v1/user' }],
    ['bitbucket-server', '/rest/oauth2/latest/authorize', { tokenUrl: '/rest/oauth2/latest/token' }],
    ['jfrog', '/ui/authorization', { tokenUrl: '/access/api/v1/integrations/c/token' }],
  ])('%s that a company runs itself is found from its authorization address', (type, path, paths) => {
    const base = 'https://code.example/below';
    const expected = Object.fromEntries(Object.entries(paths).map(([name, rest]) => [name, `${base}${rest}`]));
    const provider = one({ type, authorize_url: `${base}${path}` });
    expect(provider).toMatchObject(expected);
    if (type !== 'jfrog') expect(provider.regex?.test('https://code.example/below/repo.git')).toBe(true);
  });

  it('lets what is given win over what is known', () => {
    const provider = one({ type: 'github', scopes: [], validate_url: 'https://proxy.example/user', pkce: false, no_refresh: true });
    expect(provider).toMatchObject({ scopes: [], validateUrl: 'https://proxy.example/user', usesPkce: false, allowsRefresh: false });
  });

  it('is for the git addresses of its own host only', () => {
    const { regex } = one({ type: 'github' });
    for (const address of ['https://github.com', 'https://github.com/a/b', 'github.com/a']) expect(regex?.test(address)).toBe(true);
    for (const address of ['https://github.com.evil.example/a', 'https://evil.example/github.com/', 'https://githubxcom/a']) {
      expect(regex?.test(address)).toBe(false);
    }
  });
});

describe('what is missing or wrong is named', () => {
  it('names each address that an unknown kind needs', () => {
    expect(issuesOf({ type: 'forge' })).toEqual([
      '0.authorize_url must be given for a provider of type "forge"',
      '0.token_url must be given for a provider of type "forge"',
    ]);
  });

  it('asks for a device code address where people link by codes, and for no address to send them to', () => {
    expect(issuesOf({ type: 'forge', device_flow: true, token_url: 'https://f.example/t' })).toEqual([
      '0.device_code_url must be given for a provider of type "forge"',
    ]);
  });

  it.each([
    [{ type: 'azure-devops-entra' }, /^0\.authorize_url must be given/],
    [{ type: 'bitbucket-server' }, /^0\.authorize_url must be given/],
    [{ type: 'github', regex: '(' }, /^0\.regex must be a regular expression/],
    [{ type: 'github', validate_url: 'ftp://x.example' }, /^0\.validate_url must be an http or https address/],
    [{ type: 'github', id: '../x' }, /^0\.id must be letters/],
    [{ type: 'github', secret: 'x' }, /^0 has the unknown key "secret"/],
  ])('%j', (settings, message) => {
    expect(issuesOf(settings)[0]).toMatch(message);
  });

  it('takes an id once', () => {
    expect(issuesOf({ type: 'github', id: 'a' }, { type: 'gitlab', id: 'a' })).toEqual([' must have a different id for each provider']);
  });
});
