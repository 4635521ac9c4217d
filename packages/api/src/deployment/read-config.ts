import type { z } from 'zod';
import { DEFAULT_TOKEN_LIFETIME_SECONDS, MAX_TOKEN_LIFETIME_SECONDS, SESSION_LIFETIME_SECONDS } from '../auth/sessions.ts';
import type { Settings } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { DeploymentConfig, DeploymentOption } from './contract.ts';
import type { DeploymentSetting } from './setting.ts';
import { DeploymentValues } from './values/contract.ts';

/** The settings of this process, without any secret. */
export function readDeploymentConfig({ authorize, services }: UserCall): DeploymentConfig {
  authorize.require({ type: 'deployment_config' }, { sitewide: true });
  return { config: valuesOf(services.settings), options: services.settings.options.map(presentOption) };
}

function presentOption(setting: DeploymentSetting): DeploymentOption {
  return {
    name: setting.name,
    description: setting.description,
    env: setting.env,
    yaml: setting.yaml,
    flag: '',
    flag_shorthand: '',
    default: setting.default,
    value: setting.isSecret && setting.source !== 'default' ? null : setting.value,
    value_source: setting.source,
    required: false,
    hidden: false,
    annotations: setting.isSecret ? { secret: 'true' } : {},
    group: { name: setting.group, description: '', yaml: '', parent: null },
    use_instead: [],
  };
}

/** Nanoseconds beyond what JavaScript counts exactly are given as the largest that it does. */
const nanoseconds = (seconds: number): number => Math.min(seconds * 1e9, Number.MAX_SAFE_INTEGER);

function valuesOf(settings: Settings): DeploymentValues {
  const optionOf = (env: string): DeploymentSetting['value'] => settings.options.find((option) => option.env === env)?.value ?? '';
  const textOf = (env: string): string => String(optionOf(env));
  const listOf = (env: string): string[] =>
    [optionOf(env)]
      .flat()
      .map(String)
      .filter((part) => part !== '');
  const logLevel = textOf('BERTH_LOG_LEVEL');
  const metrics = textOf('BERTH_METRICS_ADDRESS');
  const oidc = settings.signOn.providers.find((provider) => provider.type === 'oidc');
  const given: z.input<typeof DeploymentValues> = {
    access_url: urlOf(settings.accessUrl),
    address: hostPortOf(textOf('BERTH_HTTP_ADDRESS')),
    http_address: textOf('BERTH_HTTP_ADDRESS'),
    wildcard_access_url: textOf('BERTH_WILDCARD_ACCESS_URL'),
    docs_url: urlOf(settings.docsUrl),
    support: { links: { value: [...settings.supportLinks] } },
    disable_path_apps: !settings.pathApps.isEnabled,
    dangerous: {
      allow_path_app_sharing: settings.pathApps.allowsSharing,
      allow_path_app_site_owner_access: settings.pathApps.allowsSiteOwners,
    },
    disable_password_auth: !settings.signOn.password_enabled,
    terms_of_service_url: settings.signOn.terms_of_service_url,
    secure_auth_cookie: settings.accessUrl.startsWith('https:'),
    session_lifetime: {
      default_duration: nanoseconds(SESSION_LIFETIME_SECONDS),
      default_token_lifetime: nanoseconds(DEFAULT_TOKEN_LIFETIME_SECONDS),
      max_token_lifetime: nanoseconds(MAX_TOKEN_LIFETIME_SECONDS),
    },
    oidc:
      oidc === undefined
        ? {}
        : {
            issuer_url: oidc.issuer_url,
            client_id: oidc.client_id,
            scopes: oidc.scopes,
            sign_in_text: oidc.display_name,
            icon_url: urlOf(oidc.icon_url),
            allow_signups: oidc.allow_sign_ups,
            email_domain: oidc.allowed_email_domains,
            email_field: oidc.email_claim,
            name_field: oidc.name_claim,
            username_field: oidc.username_claim,
            groups_field: oidc.groups_claim,
            group_allow_list: oidc.allowed_groups,
            ignore_email_verified: oidc.ignore_email_verified,
            ignore_user_info: oidc.ignore_user_info,
            user_role_field: oidc.site_roles_claim,
            user_role_mapping: oidc.site_roles_mapping,
            user_roles_default: oidc.site_roles_default,
          },
    external_auth: {
      value: settings.externalAuth.map((provider) => ({
        id: provider.id,
        type: provider.type,
        display_name: provider.displayName,
        display_icon: provider.displayIcon,
        client_id: provider.clientId,
        auth_url: provider.authorizeUrl,
        token_url: provider.tokenUrl,
        validate_url: provider.validateUrl ?? '',
        device_flow: provider.deviceCodeUrl !== undefined,
        device_code_url: provider.deviceCodeUrl ?? '',
        scopes: [...provider.scopes],
        regex: provider.regex?.source ?? '',
        no_refresh: !provider.allowsRefresh,
        app_install_url: provider.appInstallUrl,
        app_installations_url: provider.appInstallationsUrl ?? '',
      })),
    },
    allow_workspace_renames: settings.allowWorkspaceRenames,
    user_quiet_hours_schedule: { allow_user_custom: settings.allowCustomQuietHours, default_schedule: settings.quietHoursDefault },
    provisioner: { daemons: Number(textOf('BERTH_PROVISIONER_DAEMONS')), daemon_types: listOf('BERTH_PROVISIONER_DRIVERS') },
    rate_limit: { api: Number(textOf('BERTH_RATE_LIMIT')), disable_all: textOf('BERTH_RATE_LIMIT') === '0' },
    proxy_trusted_origins: listOf('BERTH_TRUSTED_PROXIES'),
    prometheus: { enable: metrics !== '', address: hostPortOf(metrics) },
    notifications: { email: { from: textOf('BERTH_MAIL_FROM') } },
    config: textOf('BERTH_CONFIG_FILE'),
    cache_directory: textOf('BERTH_DATA_DIR'),
    ssh_keygen_algorithm: 'ed25519',
    swagger: { enable: true },
    verbose: logLevel === 'debug',
  };
  return DeploymentValues.parse(given);
}

function urlOf(address: string): z.input<typeof DeploymentValues>['access_url'] {
  const url = URL.parse(address);
  if (url === null) return {};
  return {
    scheme: url.protocol.slice(0, -1),
    host: url.host,
    path: url.pathname === '/' ? '' : url.pathname,
    rawQuery: url.search.slice(1),
  };
}

function hostPortOf(address: string): { host: string; port: string } {
  const cut = address.lastIndexOf(':');
  return cut === -1 ? { host: address, port: '' } : { host: address.slice(0, cut), port: address.slice(cut + 1) };
}
