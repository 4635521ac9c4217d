/** What a known kind of external service fills in where its configuration says nothing. */
export interface ProviderDefaults {
  readonly display_name?: string;
  readonly authorize_url?: string;
  readonly token_url?: string;
  readonly validate_url?: string;
  readonly revoke_url?: string;
  readonly device_code_url?: string;
  readonly user_info_url?: string;
  readonly app_installations_url?: string;
  readonly scopes?: readonly string[];
  readonly extra_authorize_params?: Readonly<Record<string, string>>;
  readonly pkce?: boolean;
  readonly regex?: string;
}

/** What the defaults are made from. */
interface Given {
  readonly authorize_url?: string | undefined;
  readonly client_id: string;
}

/** Git addresses of one host, with or without a protocol. */
const regexOf = (host: string): string => `^(https?://)?${host.replaceAll('.', '\\.')}(/.*)?$`;

/** The address that a service is installed at: its authorization address without the part that every installation has. */
function baseOf({ authorize_url }: Given, suffix: string, fallback?: string): string | undefined {
  const url = URL.parse(authorize_url ?? '');
  if (url === null) return fallback;
  const path = url.pathname.endsWith(suffix) ? url.pathname.slice(0, -suffix.length) : '';
  return `${url.origin}${path}`;
}

const hostOf = (base: string): string => new URL(base).host;

function github(given: Given): ProviderDefaults {
  const base = baseOf(given, '/login/oauth/authorize') ?? 'https://github.com';
  const api = base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`;
  return {
    display_name: 'GitHub',
    authorize_url: `${base}/login/oauth/authorize`,
    token_url: `${base}/login/oauth/access_token`,
    device_code_url: `${base}/login/device/code`,
    validate_url: `${api}/user`,
    user_info_url: `${api}/user`,
    // Of one token: the authorization itself may serve others too, such as signing in.
    revoke_url: `${api}/applications/${encodeURIComponent(given.client_id)}/token`,
    app_installations_url: `${api}/user/installations`,
    scopes: ['repo', 'workflow'],
    pkce: true,
    regex: regexOf(hostOf(base)),
  };
}

function gitlab(given: Given): ProviderDefaults {
  const base = baseOf(given, '/oauth/authorize') ?? 'https://gitlab.com';
  return {
    display_name: 'GitLab',
    authorize_url: `${base}/oauth/authorize`,
    token_url: `${base}/oauth/token`,
    device_code_url: `${base}/oauth/authorize_device`,
    revoke_url: `${base}/oauth/revoke`,
    validate_url: `${base}/oauth/token/info`,
    user_info_url: `${base}/api/v4/user`,
    scopes: ['write_repository', 'read_api'],
    pkce: true,
    regex: regexOf(hostOf(base)),
  };
}

function gitea(given: Given): ProviderDefaults {
  const base = baseOf(given, '/login/oauth/authorize') ?? 'https://gitea.com';
  return {
    display_name: 'Gitea',
    authorize_url: `${base}/login/oauth/authorize`,
    token_url: `${base}/login/oauth/access_token`,
    validate_url: `${base}/api/v1/user`,
    user_info_url: `${base}/api/v1/user`,
    scopes: ['write:repository', 'read:user'],
    pkce: true,
    regex: regexOf(hostOf(base)),
  };
}

function bitbucketCloud(): ProviderDefaults {
  return {
    display_name: 'Bitbucket',
    authorize_url: 'https://bitbucket.org/site/oauth2/authorize',
    token_url: 'https://bitbucket.org/site/oauth2/access_token',
    validate_url: 'https://api.bitbucket.org/2.0/user',
    scopes: ['account', 'repository:write'],
    pkce: false,
    regex: regexOf('bitbucket.org'),
  };
}

function bitbucketServer(given: Given): ProviderDefaults {
  const base = baseOf(given, '/rest/oauth2/latest/authorize');
  const common: ProviderDefaults = {
    display_name: 'Bitbucket Server',
    scopes: ['REPO_WRITE'],
    pkce: true,
  };
  if (base === undefined) return common;
  return {
    ...common,
    token_url: `${base}/rest/oauth2/latest/token`,
    revoke_url: `${base}/rest/oauth2/latest/revoke`,
    validate_url: `${base}/rest/api/latest/inbox/pull-requests/count`,
    regex: regexOf(hostOf(base)),
  };
}

function azureDevops(): ProviderDefaults {
  return {
    display_name: 'Azure DevOps',
    authorize_url: 'https://app.vssps.visualstudio.com/oauth2/authorize',
    token_url: 'https://app.vssps.visualstudio.com/oauth2/token',
    scopes: ['vso.code_write'],
    pkce: false,
    regex: regexOf('dev.azure.com'),
  };
}

/** The tenant stands in the authorization address, so that one has to be given. */
function azureDevopsEntra({ authorize_url }: Given): ProviderDefaults {
  return {
    display_name: 'Azure DevOps',
    ...(authorize_url?.endsWith('/authorize') === true ? { token_url: authorize_url.replace(/\/authorize$/, '/token') } : {}),
    // The fixed id of Azure DevOps in every tenant.
    scopes: ['499b84ac-1321-427f-aa17-267ca6975798/.default', 'offline_access'],
    pkce: true,
    regex: regexOf('dev.azure.com'),
  };
}

function slack(): ProviderDefaults {
  return {
    display_name: 'Slack',
    authorize_url: 'https://slack.com/oauth/v2/authorize',
    token_url: 'https://slack.com/api/oauth.v2.access',
    revoke_url: 'https://slack.com/api/auth.revoke',
    validate_url: 'https://slack.com/api/auth.test',
    pkce: false,
  };
}

function jfrog(given: Given): ProviderDefaults {
  const base = baseOf(given, '/ui/authorization');
  const common: ProviderDefaults = {
    display_name: 'JFrog Artifactory',
    scopes: ['applied-permissions/user'],
    pkce: false,
  };
  if (base === undefined) return common;
  return {
    ...common,
    token_url: `${base}/access/api/v1/integrations/${encodeURIComponent(given.client_id)}/token`,
    validate_url: `${base}/access/api/v1/system/ping`,
  };
}

const KNOWN: Readonly<Record<string, (given: Given) => ProviderDefaults>> = {
  github,
  gitlab,
  gitea,
  'bitbucket-cloud': bitbucketCloud,
  'bitbucket-server': bitbucketServer,
  'azure-devops': azureDevops,
  'azure-devops-entra': azureDevopsEntra,
  slack,
  jfrog,
};

/**
 * The defaults of a kind of service; what a person installs themselves is found from its authorization address. Any other kind is
 * plain OAuth2, whose addresses all have to be given.
 */
export function defaultsOf(type: string, given: Given): ProviderDefaults {
  return KNOWN[type]?.(given) ?? { pkce: true };
}
