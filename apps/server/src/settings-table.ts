import type { SettingGroup } from '@berth/api/server';

/**
 * Every setting of the server in words: `docs/configuration.md` and the settings page of the dashboard are made of this table.
 * Its rules are in `config.ts`; a test holds the two together.
 */
export interface SettingFacts {
  /** The environment variable; empty for what only the settings file has. */
  readonly env: string;
  readonly name: string;
  readonly group: SettingGroup;
  /** What it takes and means: Markdown, links relative to `docs/`. */
  readonly description: string;
  /** The value that holds without it. */
  readonly default?: string;
  /** What holds without it, where that is no value that could be written: Markdown. */
  readonly otherwise?: string;
  readonly isSecret?: boolean;
  /** Values with commas between. */
  readonly isList?: boolean;
  /** Its place in the settings file. */
  readonly yaml?: string;
}

export const SETTINGS: readonly SettingFacts[] = [
  {
    env: 'BERTH_HTTP_ADDRESS',
    name: 'Address',
    group: 'Network',
    default: '127.0.0.1:3000',
    description: '`host:port`, IPv6 hosts in brackets. Port 0 chooses a free one.',
  },
  {
    env: 'BERTH_ACCESS_URL',
    name: 'Access URL',
    group: 'Network',
    otherwise: 'made from the address',
    description:
      'An `http` or `https` address under which people _and agents_ reach the server. With `https`, cookies are `__Host-` and secure.',
  },
  {
    env: 'BERTH_RELAY_ADDRESS',
    name: 'Relay address',
    group: 'Network',
    otherwise: 'made from the address',
    description:
      'Where the [other servers](guides/replicas.md) of the database reach this one: `http` or `https`, no path. By default the machine’s name where the address is a wildcard. `none`: they cannot.',
  },
  {
    env: 'BERTH_TRUSTED_PROXIES',
    name: 'Trusted proxies',
    group: 'Network',
    otherwise: 'none',
    isList: true,
    description: 'Addresses or networks, separated by commas, whose `X-Forwarded-*` headers count.',
  },
  {
    env: 'BERTH_RATE_LIMIT',
    name: 'Rate limit',
    group: 'Network',
    default: '0',
    description: 'Requests to `/api` per address and minute; 0 is no limit. Attempts to sign in are limited to 60 in any case.',
  },
  {
    env: 'BERTH_WILDCARD_ACCESS_URL',
    name: 'Domain of apps',
    group: 'Workspace apps',
    otherwise: '`*.localhost` on loopback, else none',
    description:
      'The domain whose names are [apps](guides/apps.md) of workspaces: `*.apps.example.com` or `*--apps.example.com`, with a port where it is not the access URL’s. `none` turns it off.',
  },
  {
    env: 'BERTH_DISABLE_PATH_APPS',
    name: 'No path apps',
    group: 'Workspace apps',
    default: 'false',
    description: 'Turns off apps below a path of the dashboard’s host (`/@owner/workspace/apps/…`); apps with a host of their own stay.',
  },
  {
    env: 'BERTH_ALLOW_PATH_APP_SHARING',
    name: 'Shared path apps',
    group: 'Workspace apps',
    default: 'false',
    description:
      'Dangerous: opens path apps to others as far as their sharing level says. Such an app runs on the dashboard’s origin, and can act there as whoever opens it.',
  },
  {
    env: 'BERTH_ALLOW_PATH_APP_SITE_OWNERS',
    name: 'Path apps for owners of the deployment',
    group: 'Workspace apps',
    default: 'false',
    description: 'Dangerous: opens the path apps of everybody to owners of the deployment, with the same risk.',
  },
  {
    env: 'BERTH_DATA_DIR',
    name: 'Data folder',
    group: 'Storage',
    otherwise: '`$XDG_DATA_HOME/berth`, or `~/.local/share/berth`',
    description: 'An absolute path. The one folder of the server, made with mode 0700.',
  },
  {
    env: 'BERTH_DATABASE_URL',
    name: 'Database',
    group: 'Storage',
    otherwise: 'the embedded PostgreSQL',
    isSecret: true,
    description: '`postgresql://…`. Tested with PostgreSQL 18; the account must own the database. Migrations are applied at the start.',
  },
  {
    env: 'BERTH_SEALING_KEYS',
    name: 'Sealing keys',
    group: 'Storage',
    otherwise: 'a key in the data folder',
    isSecret: true,
    description:
      'Keys that encrypt stored secrets, newest first: 32 bytes in base64 each, separated by commas. Servers on one database need the same.',
  },
  {
    env: 'BERTH_CONFIG_FILE',
    name: 'Settings file',
    group: 'Storage',
    otherwise: 'none',
    description: 'A YAML file with [what is too long for a variable](#the-settings-file).',
  },
  {
    env: 'BERTH_PROVISIONER_DAEMONS',
    name: 'Built-in provisioners',
    group: 'Provisioners',
    default: '1',
    description: 'Provisioner daemons that the server starts itself: 0 or 1.',
  },
  {
    env: 'BERTH_PROVISIONER_DRIVERS',
    name: 'Drivers',
    group: 'Provisioners',
    otherwise: 'all that the host can run',
    isList: true,
    description: 'Drivers of that daemon, with commas between: `process`, `container`, `terraform`.',
  },
  {
    env: 'BERTH_PROVISIONER_TAGS',
    name: 'Tags',
    group: 'Provisioners',
    otherwise: 'none',
    description: 'Its tags as `key=value,…`.',
  },
  {
    env: 'BERTH_PROVISIONER_CONCURRENCY',
    name: 'Jobs at a time',
    group: 'Provisioners',
    default: '3',
    description: 'How many jobs it works on at a time.',
  },
  {
    env: 'BERTH_TERRAFORM_BINARY',
    name: 'Terraform',
    group: 'Provisioners',
    otherwise: '`terraform`, else `tofu`',
    description: 'The Terraform or OpenTofu that it runs: a path, or a name on the `PATH`.',
  },
  {
    env: 'BERTH_DOCKER_HOST',
    name: 'Container engine',
    group: 'Provisioners',
    otherwise: '`DOCKER_HOST`, else the usual sockets of Docker and Podman',
    description: 'The engine that makes [containers](guides/containers.md): `unix:///PATH`, `tcp://HOST:PORT`, or `off`.',
  },
  {
    env: 'BERTH_PROVISIONER_PASS',
    name: 'Variables handed on',
    group: 'Provisioners',
    otherwise: 'none',
    isList: true,
    description:
      'Names of variables, with commas between, that are handed on to it and to Terraform, such as the credentials of a cloud. `TF_*`, `DOCKER_*` and proxies are handed on anyway; see [provisioners](guides/provisioners.md).',
  },
  {
    env: 'BERTH_PASSWORD_SIGN_IN',
    name: 'Sign-in with a password',
    group: 'Sign-in',
    default: 'true',
    yaml: 'sign_on.password_enabled',
    description: 'Whether people may sign in with a password. Owners always may, so that a broken provider locks nobody out for good.',
  },
  {
    env: 'BERTH_OIDC_ISSUER_URL',
    name: 'OpenID Connect issuer',
    group: 'Sign-in',
    otherwise: 'none',
    description: 'One OpenID Connect provider, the short way; the settings file takes several, with every option.',
  },
  {
    env: 'BERTH_OIDC_CLIENT_ID',
    name: 'OpenID Connect client',
    group: 'Sign-in',
    otherwise: 'none',
    description: 'What that provider knows the deployment by.',
  },
  {
    env: 'BERTH_OIDC_CLIENT_SECRET',
    name: 'OpenID Connect client secret',
    group: 'Sign-in',
    otherwise: 'none',
    isSecret: true,
    description: 'Without a secret the client is public, and relies on PKCE alone.',
  },
  {
    env: 'BERTH_OIDC_DISPLAY_NAME',
    name: 'OpenID Connect button',
    group: 'Sign-in',
    default: 'OpenID Connect',
    description: 'The words on the sign-in button.',
  },
  {
    env: '',
    name: 'Sign-in providers',
    group: 'Sign-in',
    otherwise: 'none',
    yaml: 'sign_on.providers',
    isList: true,
    description: 'Providers of [sign-on](guides/sign-on.md), each with every option. Shown by their ids.',
  },
  {
    env: '',
    name: 'Terms of service',
    group: 'Sign-in',
    otherwise: 'none',
    yaml: 'sign_on.terms_of_service_url',
    description: 'Where the terms are that people accept by signing in.',
  },
  {
    env: '',
    name: 'External services',
    group: 'Sign-in',
    otherwise: 'none',
    yaml: 'external_auth',
    isList: true,
    description: 'Services whose [accounts people link](guides/external-auth.md), such as git hosts. Shown by their ids.',
  },
  {
    env: 'BERTH_SCIM_TOKEN',
    name: 'SCIM token',
    group: 'Sign-in',
    otherwise: 'SCIM is off',
    isSecret: true,
    yaml: 'scim.token',
    description: 'The bearer token of the identity provider that calls [SCIM](guides/scim.md); at least 16 characters.',
  },
  {
    env: 'BERTH_FIRST_USER_EMAIL',
    name: 'First account: e-mail',
    group: 'Sign-in',
    otherwise: 'none',
    description:
      'A first account that owns the deployment: this, its name and its password, all three or none. Without effect once there is an account.',
  },
  {
    env: 'BERTH_FIRST_USER_USERNAME',
    name: 'First account: name',
    group: 'Sign-in',
    otherwise: 'none',
    description: 'The user name of that account.',
  },
  {
    env: 'BERTH_FIRST_USER_PASSWORD',
    name: 'First account: password',
    group: 'Sign-in',
    otherwise: 'none',
    isSecret: true,
    description: 'The password of that account.',
  },
  {
    env: 'BERTH_QUIET_HOURS_DEFAULT',
    name: 'Quiet hours',
    group: 'Workspaces',
    default: 'CRON_TZ=UTC 0 0 * * *',
    description:
      'When quiet hours begin for users who chose none: `minute hour * * *`, every day, with an optional zone. See [schedules](guides/schedules.md).',
  },
  {
    env: 'BERTH_ALLOW_CUSTOM_QUIET_HOURS',
    name: 'Quiet hours of one’s own',
    group: 'Workspaces',
    default: 'true',
    description: 'Whether users may choose quiet hours of their own.',
  },
  {
    env: 'BERTH_ALLOW_WORKSPACE_RENAMES',
    name: 'Renames of workspaces',
    group: 'Workspaces',
    default: 'false',
    description:
      'Whether owners may rename workspaces. Off by default, since scripts and settings inside a workspace may hold the old name.',
  },
  {
    env: 'BERTH_SMTP_URL',
    name: 'Mail server',
    group: 'Mail',
    otherwise: 'no mail',
    isSecret: true,
    yaml: 'mail.smtp_url',
    description:
      '`smtp://user:password@host:587` or `smtps://…`. Needed for passcodes that reset a password; goes together with the sender.',
  },
  {
    env: 'BERTH_MAIL_FROM',
    name: 'Sender of mail',
    group: 'Mail',
    otherwise: 'no mail',
    yaml: 'mail.from',
    description: 'The address that mail comes from, such as `Berth <berth@example.com>`.',
  },
  {
    env: 'BERTH_DOCS_URL',
    name: 'Documentation',
    group: 'Appearance',
    otherwise: 'none',
    description: 'An `http` or `https` address: the deployment’s own documentation, linked from the menu of the account.',
  },
  {
    env: 'BERTH_SUPPORT_LINKS',
    name: 'Support links',
    group: 'Appearance',
    otherwise: 'none',
    description:
      'Where people find help, as JSON: `[{"name": "Ask us", "target": "https://chat.example.com", "icon": "chat"}]`. Icons are `bug`, `chat` and `docs`; ten links at most.',
  },
  {
    env: 'BERTH_METRICS_ADDRESS',
    name: 'Metrics',
    group: 'Observability',
    otherwise: 'nowhere',
    description: '`host:port` at which `/metrics` is served in Prometheus’ form. Without authentication: keep it private.',
  },
  {
    env: 'BERTH_LOG_LEVEL',
    name: 'Log level',
    group: 'Observability',
    default: 'info',
    description: '`debug`, `info`, `warn` or `error`. JSON lines; short coloured ones in a terminal.',
  },
];
