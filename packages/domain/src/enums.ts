/**
 * Every closed set of values of the product, as a constant array (for schemas and menus) and as a union type.
 * The order of an array is meaningful only where its comment says so.
 */

/** What a build does to the workspace's resources. `delete` destroys them. */
export const TRANSITIONS = ['start', 'stop', 'delete'] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** Derived from a job's timestamps and error. `unknown` is part of the interface and is never produced. */
export const JOB_STATUSES = ['pending', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'unknown'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Status of a build, and of a workspace through its latest build. */
export const WORKSPACE_STATUSES = [
  'pending',
  'starting',
  'running',
  'stopping',
  'stopped',
  'failed',
  'canceling',
  'canceled',
  'deleting',
  'deleted',
] as const;
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

/** What a list of workspaces may go by, upwards. */
export const WORKSPACE_SORT_KEYS = ['name', 'status', 'last_used', 'created', 'template', 'owner'] as const;
export type WorkspaceSortKey = (typeof WORKSPACE_SORT_KEYS)[number];
/** A minus sign turns an order around. */
export const WORKSPACE_SORTS = [...WORKSPACE_SORT_KEYS, ...WORKSPACE_SORT_KEYS.map((key) => `-${key}` as const)] as const;
export type WorkspaceSort = (typeof WORKSPACE_SORTS)[number];

/** Why a build was made. `failedstop` is part of the interface and is not produced. */
export const BUILD_REASONS = ['initiator', 'autostart', 'autostop', 'dormancy', 'failedstop', 'autodelete'] as const;
export type BuildReason = (typeof BUILD_REASONS)[number];

/**
 * What made the deadline of a build: the workspace's own time to live, the template's default, the template's longest time of running
 * (`autostop_requirement`), the schedule of the next autostart, somebody who extended it, or activity that did.
 */
export const DEADLINE_RULES = ['', 'ttl', 'template_ttl', 'autostop_requirement', 'autostart', 'extended', 'activity'] as const;
export type DeadlineRule = (typeof DEADLINE_RULES)[number];

/** Machine-readable causes of a failed job; the empty string is "none". */
export const JOB_ERROR_CODES = ['', 'REQUIRED_TEMPLATE_VARIABLES'] as const;
export type JobErrorCode = (typeof JOB_ERROR_CODES)[number];

export const JOB_TYPES = ['template_version_import', 'workspace_build', 'template_version_dry_run'] as const;
export type JobType = (typeof JOB_TYPES)[number];

/** Severity of a log line, ascending. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Verbosity that a build request may ask for. */
export const BUILD_LOG_LEVELS = ['', 'debug'] as const;
export type BuildLogLevel = (typeof BUILD_LOG_LEVELS)[number];

export const LOG_SOURCES = ['provisioner_daemon', 'provisioner'] as const;
export type LogSource = (typeof LOG_SOURCES)[number];

/** Who may open an app or a port, ascending from the narrowest. */
export const SHARING_LEVELS = ['owner', 'authenticated', 'public'] as const;
export type SharingLevel = (typeof SHARING_LEVELS)[number];

/** Levels that a port share may be given: `owner` means that no share exists. */
export const PORT_SHARE_LEVELS = ['authenticated', 'public'] as const;
export type PortShareLevel = (typeof PORT_SHARE_LEVELS)[number];

/** What a share of a workspace lets in to: its apps, a terminal of one's own, or the sight of one terminal. */
export const SHARE_ACCESSES = ['apps', 'terminal', 'terminal_view'] as const;
export type ShareAccess = (typeof SHARE_ACCESSES)[number];

export const PORT_PROTOCOLS = ['http', 'https'] as const;
export type PortProtocol = (typeof PORT_PROTOCOLS)[number];

export const AUTOMATIC_UPDATES = ['always', 'never'] as const;
export type AutomaticUpdates = (typeof AUTOMATIC_UPDATES)[number];

export const USER_STATUSES = ['active', 'dormant', 'suspended'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** How a user or an API key signs in. The empty string is a value of the interface that new rows never get. */
export const LOGIN_TYPES = ['', 'password', 'codehost', 'oidc', 'token', 'none'] as const;
export type LoginType = (typeof LOGIN_TYPES)[number];

/** How an API key came to be: by signing in, as a named token, or as the access token of an OAuth2 application. */
export const API_KEY_LOGIN_TYPES = ['password', 'codehost', 'oidc', 'token', 'oauth2_provider_app'] as const;
export type ApiKeyLoginType = (typeof API_KEY_LOGIN_TYPES)[number];

/**
 * What an API key may be used for, applied on top of its owner's permissions: everything, opening apps, reading, or the permissions
 * that a `limited` key lists.
 */
export const API_KEY_SCOPES = ['all', 'application_connect', 'read_only', 'limited'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** Roles on one template: `use` reads and creates workspaces, `admin` does everything, the empty string removes the entry. */
export const TEMPLATE_ROLES = ['admin', 'use', ''] as const;
export type TemplateRole = (typeof TEMPLATE_ROLES)[number];

export const AUDIT_ACTIONS = [
  'create',
  'write',
  'delete',
  'start',
  'stop',
  'login',
  'logout',
  'register',
  'request_password_reset',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_RESOURCE_TYPES = [
  'template',
  'template_version',
  'user',
  'workspace',
  'workspace_build',
  'git_ssh_key',
  'api_key',
  'group',
  'license',
  'convert_login',
  'health_settings',
  'notifications_settings',
  'workspace_proxy',
  'organization',
  'oauth2_provider_app',
  'oauth2_provider_app_secret',
  'custom_role',
  'organization_member',
  'notification_template',
  'idp_sync_settings',
  'external_auth_link',
  'user_identity',
  'oauth2_provider_app_token',
  'provisioner_key',
  'saved_search',
  'appearance',
  'audit_export',
] as const;
export type AuditResourceType = (typeof AUDIT_RESOURCE_TYPES)[number];

/** The lists of the dashboard that searches are saved for. */
export const SAVED_SEARCH_PAGES = ['workspaces', 'audit'] as const;
export type SavedSearchPage = (typeof SAVED_SEARCH_PAGES)[number];

/** Whether the server hears from an agent. Derived from the agent's connection times. */
export const AGENT_STATUSES = ['connecting', 'connected', 'disconnected', 'timeout'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

/** What the agent last reported about itself. */
export const AGENT_LIFECYCLE_STATES = [
  'created',
  'starting',
  'start_timeout',
  'start_error',
  'ready',
  'shutting_down',
  'shutdown_timeout',
  'shutdown_error',
  'off',
] as const;
export type AgentLifecycleState = (typeof AGENT_LIFECYCLE_STATES)[number];

export const APP_HEALTHS = ['disabled', 'initializing', 'healthy', 'unhealthy'] as const;
export type AppHealth = (typeof APP_HEALTHS)[number];

export const DISPLAY_APPS = ['vscode', 'vscode_insiders', 'web_terminal', 'port_forwarding_helper', 'ssh_helper'] as const;
export type DisplayApp = (typeof DISPLAY_APPS)[number];

export const AGENT_SUBSYSTEMS = ['envbox', 'envbuilder', 'exectrace'] as const;
export type AgentSubsystem = (typeof AGENT_SUBSYSTEMS)[number];

/** Whether a shell waits for the start scripts. */
export const STARTUP_SCRIPT_BEHAVIORS = ['blocking', 'non-blocking'] as const;
export type StartupScriptBehavior = (typeof STARTUP_SCRIPT_BEHAVIORS)[number];

export const GROUP_SOURCES = ['user', 'oidc'] as const;
export type GroupSource = (typeof GROUP_SOURCES)[number];

export const PROXY_STATUSES = ['ok', 'unreachable', 'unhealthy', 'unregistered'] as const;
export type ProxyStatus = (typeof PROXY_STATUSES)[number];

export const PARAMETER_TYPES = ['string', 'number', 'bool', 'list(string)'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** Types of a template variable, which has no lists. */
export const TEMPLATE_VARIABLE_TYPES = ['string', 'number', 'bool'] as const;
export type TemplateVariableType = (typeof TEMPLATE_VARIABLE_TYPES)[number];

/** In which direction a number parameter may move between builds; the empty string is "any". */
export const MONOTONIC_ORDERS = ['', 'increasing', 'decreasing'] as const;
export type MonotonicOrder = (typeof MONOTONIC_ORDERS)[number];

/**
 * Drivers. `process` and `container` read `berth.yaml`, `terraform` reads `*.tf`. `echo` is a value of the interface; no driver has it.
 */
export const PROVISIONER_TYPES = ['process', 'container', 'terraform', 'echo'] as const;
export type ProvisionerType = (typeof PROVISIONER_TYPES)[number];

export const STORAGE_METHODS = ['file'] as const;
export type StorageMethod = (typeof STORAGE_METHODS)[number];

/** Phases of a build that the provisioner times. */
export const PROVISIONER_TIMING_STAGES = ['init', 'plan', 'graph', 'apply'] as const;
export type ProvisionerTimingStage = (typeof PROVISIONER_TIMING_STAGES)[number];

/** Phases of every timing: the provisioner's, the agent scripts' and the agent's connection. */
export const TIMING_STAGES = [...PROVISIONER_TIMING_STAGES, 'start', 'stop', 'cron', 'connect'] as const;
export type TimingStage = (typeof TIMING_STAGES)[number];

export const SCRIPT_STAGES = ['start', 'stop', 'cron'] as const;
export type ScriptStage = (typeof SCRIPT_STAGES)[number];

export const SCRIPT_STATUSES = ['ok', 'exit_failure', 'timed_out', 'pipes_left_open'] as const;
export type ScriptStatus = (typeof SCRIPT_STATUSES)[number];

export const NOTIFICATION_METHODS = ['smtp', 'webhook'] as const;
export type NotificationMethod = (typeof NOTIFICATION_METHODS)[number];

export const NOTIFICATION_KINDS = ['system'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const CRYPTO_KEY_FEATURES = ['workspace_apps_token', 'workspace_apps_api_key', 'oidc_convert', 'tailnet_resume'] as const;
export type CryptoKeyFeature = (typeof CRYPTO_KEY_FEATURES)[number];

export const OAUTH2_RESPONSE_TYPES = ['code'] as const;
export type OAuth2ResponseType = (typeof OAUTH2_RESPONSE_TYPES)[number];

export const OAUTH2_GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;
export type OAuth2GrantType = (typeof OAUTH2_GRANT_TYPES)[number];

export const ENTITLEMENTS = ['entitled', 'grace_period', 'not_entitled'] as const;
export type Entitlement = (typeof ENTITLEMENTS)[number];

export const INSIGHTS_INTERVALS = ['day', 'week'] as const;
export type InsightsInterval = (typeof INSIGHTS_INTERVALS)[number];

export const INSIGHTS_SECTIONS = ['report', 'interval_reports'] as const;
export type InsightsSection = (typeof INSIGHTS_SECTIONS)[number];

export const USAGE_APP_NAMES = ['vscode', 'jetbrains', 'reconnecting-pty', 'ssh'] as const;
export type UsageAppName = (typeof USAGE_APP_NAMES)[number];

/** Weekdays as templates name them; the position is the bit in a stored day mask (Monday is bit 0). */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** What the health report looks at, as the settings name it. */
export const HEALTH_SECTIONS = ['DERP', 'AccessURL', 'Websocket', 'Database', 'WorkspaceProxy', 'ProvisionerDaemons', 'Disk'] as const;
export type HealthSection = (typeof HEALTH_SECTIONS)[number];

export const HEALTH_SEVERITIES = ['ok', 'warning', 'error'] as const;
export type HealthSeverity = (typeof HEALTH_SEVERITIES)[number];

/** What a finding of the health report is about: see docs/guides/health.md. */
export const HEALTH_CODES = [
  'EUNKNOWN',
  'EWP01',
  'EWP02',
  'EWP04',
  'EDB01',
  'EDB02',
  'EDB03',
  'EDISK01',
  'EDISK02',
  'EWS01',
  'EWS02',
  'EWS03',
  'EACS01',
  'EACS02',
  'EACS03',
  'EACS04',
  'EDERP01',
  'EDERP02',
  'EPD01',
  'EPD02',
  'EPD03',
] as const;
export type HealthCode = (typeof HEALTH_CODES)[number];
