import { z } from 'zod';
import { SupportLink } from '../../appearance/contract.ts';

/**
 * The settings as the contract of the API lists them: more than this server has. Each is empty unless it is filled in, which
 * `DeploymentValues.parse` does.
 */

const text = () => z.string().default('');
const flag = () => z.boolean().default(false);
const number = () => z.int().default(0);
const texts = () => z.array(z.string()).default([]);
const map = () => z.record(z.string(), z.unknown()).default({});

const Url = z
  .object({
    scheme: text(),
    opaque: text(),
    user: map().meta({ id: 'URLUserinfo' }),
    host: text(),
    path: text(),
    rawPath: text(),
    omitHost: flag(),
    forceQuery: flag(),
    rawQuery: text(),
    fragment: text(),
    rawFragment: text(),
  })
  .prefault({})
  .meta({ id: 'URLOption' });
const HostPort = z.object({ host: text(), port: text() }).prefault({}).meta({ id: 'HostPort' });

export const ExternalAuthConfig = z
  .object({
    id: text(),
    type: text(),
    display_name: text(),
    display_icon: text(),
    client_id: text(),
    auth_url: text(),
    token_url: text(),
    validate_url: text(),
    device_flow: flag(),
    device_code_url: text(),
    scopes: texts(),
    regex: text(),
    no_refresh: flag(),
    app_install_url: text(),
    app_installations_url: text(),
  })
  .meta({ id: 'ExternalAuthConfig' });

const Dangerous = z
  .object({ allow_all_cors: flag(), allow_path_app_sharing: flag(), allow_path_app_site_owner_access: flag() })
  .prefault({})
  .meta({ id: 'DangerousConfig' });

const Derp = z
  .object({
    config: z.object({ block_direct: flag(), force_websockets: flag(), path: text(), url: text() }).prefault({}).meta({ id: 'DERPConfig' }),
    server: z
      .object({
        enable: flag(),
        region_code: text(),
        region_id: number(),
        region_name: text(),
        relay_url: Url,
        stun_addresses: texts(),
      })
      .prefault({})
      .meta({ id: 'DERPServerConfig' }),
  })
  .prefault({})
  .meta({ id: 'DERP' });

const Email = z
  .object({
    auth: z
      .object({ identity: text(), username: text(), password: text(), password_file: text() })
      .prefault({})
      .meta({ id: 'NotificationsEmailAuthConfig' }),
    force_tls: flag(),
    from: text(),
    hello: text(),
    smarthost: text(),
    tls: z
      .object({
        ca_file: text(),
        cert_file: text(),
        insecure_skip_verify: flag(),
        key_file: text(),
        server_name: text(),
        start_tls: flag(),
      })
      .prefault({})
      .meta({ id: 'NotificationsEmailTLSConfig' }),
  })
  .prefault({})
  .meta({ id: 'NotificationsEmailConfig' });

const Notifications = z
  .object({
    dispatch_timeout: number(),
    email: Email,
    fetch_interval: number(),
    lease_count: number(),
    lease_period: number(),
    max_send_attempts: number(),
    method: text(),
    retry_interval: number(),
    sync_buffer_size: number(),
    sync_interval: number(),
    webhook: z.object({ endpoint: Url }).prefault({}).meta({ id: 'NotificationsWebhookConfig' }),
  })
  .prefault({})
  .meta({ id: 'NotificationsConfig' });

const OAuth2 = z
  .object({
    codehost: z
      .object({
        allow_everyone: flag(),
        allow_signups: flag(),
        allowed_orgs: texts(),
        allowed_teams: texts(),
        client_id: text(),
        client_secret: text(),
        enterprise_base_url: text(),
      })
      .prefault({})
      .meta({ id: 'OAuth2CodehostConfig' }),
  })
  .prefault({})
  .meta({ id: 'OAuth2Config' });

const Oidc = z
  .object({
    allow_signups: flag(),
    auth_url_params: map(),
    client_cert_file: text(),
    client_id: text(),
    client_key_file: text(),
    client_secret: text(),
    email_domain: texts(),
    email_field: text(),
    group_allow_list: texts(),
    group_auto_create: flag(),
    group_mapping: map(),
    group_regex_filter: map().meta({ id: 'RegexpOption' }),
    groups_field: text(),
    icon_url: Url,
    ignore_email_verified: flag(),
    ignore_user_info: flag(),
    issuer_url: text(),
    name_field: text(),
    organization_assign_default: flag(),
    organization_field: text(),
    organization_mapping: map(),
    scopes: texts(),
    sign_in_text: text(),
    signups_disabled_text: text(),
    skip_issuer_checks: flag(),
    user_role_field: text(),
    user_role_mapping: map(),
    user_roles_default: texts(),
    username_field: text(),
  })
  .prefault({})
  .meta({ id: 'OIDCConfig' });

const Tls = z
  .object({
    address: HostPort,
    allow_insecure_ciphers: flag(),
    cert_file: texts(),
    client_auth: text(),
    client_ca_file: text(),
    client_cert_file: text(),
    client_key_file: text(),
    enable: flag(),
    key_file: texts(),
    min_version: text(),
    redirect_http: flag(),
    supported_ciphers: texts(),
  })
  .prefault({})
  .meta({ id: 'TLSConfig' });

const Observability = {
  logging: z.object({ human: text(), json: text(), log_filter: texts(), stackdriver: text() }).prefault({}).meta({ id: 'LoggingConfig' }),
  pprof: z.object({ enable: flag(), address: HostPort }).prefault({}).meta({ id: 'PprofConfig' }),
  prometheus: z
    .object({
      enable: flag(),
      address: HostPort,
      aggregate_agent_stats_by: texts(),
      collect_agent_stats: flag(),
      collect_db_metrics: flag(),
    })
    .prefault({})
    .meta({ id: 'PrometheusConfig' }),
  telemetry: z.object({ enable: flag(), trace: flag(), url: Url }).prefault({}).meta({ id: 'TelemetryConfig' }),
  trace: z
    .object({ enable: flag(), capture_logs: flag(), data_dog: flag(), honeycomb_api_key: text() })
    .prefault({})
    .meta({ id: 'TraceConfig' }),
};

const Provisioner = z
  .object({
    daemons: number(),
    daemon_types: texts(),
    daemon_poll_interval: number(),
    daemon_poll_jitter: number(),
    daemon_psk: text(),
    force_cancel_interval: number(),
  })
  .prefault({})
  .meta({ id: 'ProvisionerConfig' });

const SessionLifetime = z
  .object({ default_duration: number(), default_token_lifetime: number(), disable_expiry_refresh: flag(), max_token_lifetime: number() })
  .prefault({})
  .meta({ id: 'SessionLifetime' });

export const DeploymentValues = z
  .object({
    access_url: Url,
    additional_csp_policy: texts(),
    address: HostPort,
    agent_fallback_troubleshooting_url: Url,
    agent_stat_refresh_interval: number(),
    allow_workspace_renames: flag(),
    autobuild_poll_interval: number(),
    browser_only: flag(),
    cache_directory: text(),
    cli_upgrade_message: text(),
    config: text(),
    config_ssh: z.object({ deploymentName: text(), sshconfigOptions: texts() }).prefault({}).meta({ id: 'SSHConfig' }),
    dangerous: Dangerous,
    derp: Derp,
    disable_owner_workspace_exec: flag(),
    disable_password_auth: flag(),
    disable_path_apps: flag(),
    docs_url: Url,
    enable_terraform_debug_mode: flag(),
    experiments: texts(),
    external_auth: z
      .object({ value: z.array(ExternalAuthConfig).default([]) })
      .prefault({})
      .meta({ id: 'ExternalAuthConfigList' }),
    external_token_encryption_keys: texts(),
    healthcheck: z.object({ refresh: number(), threshold_database: number() }).prefault({}).meta({ id: 'HealthcheckConfig' }),
    http_address: text(),
    in_memory_database: flag(),
    job_hang_detector_interval: number(),
    ...Observability,
    metrics_cache_refresh_interval: number(),
    notifications: Notifications,
    oauth2: OAuth2,
    oidc: Oidc,
    pg_auth: text(),
    pg_connection_url: text(),
    provisioner: Provisioner,
    proxy_health_status_interval: number(),
    proxy_trusted_headers: texts(),
    proxy_trusted_origins: texts(),
    rate_limit: z.object({ api: number(), disable_all: flag() }).prefault({}).meta({ id: 'RateLimitConfig' }),
    redirect_to_access_url: flag(),
    scim_api_key: text(),
    secure_auth_cookie: flag(),
    session_lifetime: SessionLifetime,
    ssh_keygen_algorithm: text(),
    strict_transport_security: number(),
    strict_transport_security_options: texts(),
    support: z
      .object({
        links: z
          .object({ value: z.array(SupportLink).default([]) })
          .prefault({})
          .meta({ id: 'LinkConfigList' }),
      })
      .prefault({})
      .meta({ id: 'SupportConfig' }),
    swagger: z.object({ enable: flag() }).prefault({}).meta({ id: 'SwaggerConfig' }),
    terms_of_service_url: text(),
    tls: Tls,
    update_check: flag(),
    user_quiet_hours_schedule: z
      .object({ allow_user_custom: flag(), default_schedule: text() })
      .prefault({})
      .meta({ id: 'UserQuietHoursScheduleConfig' }),
    verbose: flag(),
    web_terminal_renderer: text(),
    wgtunnel_host: text(),
    wildcard_access_url: text(),
    write_config: flag(),
  })
  .meta({
    id: 'DeploymentValues',
    description: 'Every setting of the contract; what this server does not have is empty. Durations in nanoseconds.',
  });
export type DeploymentValues = z.output<typeof DeploymentValues>;
