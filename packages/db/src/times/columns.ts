/**
 * How earlier versions of Berth wrote each timestamp column of a database whose default time zone is not UTC. Two kinds of statements write
 * timestamps. The Prisma client sent the UTC clock time without an offset, and PostgreSQL took it as a time of its own zone: those values
 * are wrong by the offset. Raw SQL sends instants with an offset or asks PostgreSQL for the time: those are right.
 *
 * Columns that are not listed are written by raw SQL or by a default of the database alone, and are right: the times of the audit log and
 * of its chain, of replicas, of usage and latency, of an agent's connections and metadata, the start of a job, the schema migrations.
 */
export interface WrongColumn {
  readonly name: string;
  /** When the value in a row is wrong, for columns that both kinds of statements write; absent: always, but for microseconds. */
  readonly when?: string;
  /** The repaired value, instead of the shifted one. `$shifted(column)` stands for the shifted value of a column of the row. */
  readonly value?: string;
}

const MINUTE = "interval '1 minute'";
const SECOND = "interval '1 second'";

const within = (tolerance: string, one: string, other: string): string =>
  `${one} BETWEEN ${other} - ${tolerance} AND ${other} + ${tolerance}`;
/** Nothing happened after now: a value that the shift would move into the future was right. */
const isPast = (column: string): string => `$shifted(${column}) <= now() + ${MINUTE}`;

/** The last write of a build was by its job or by its owner, through the client; later ones are by the schedule, in raw SQL. */
const BY_CLIENT = `(t.deadline_rule = 'extended' OR EXISTS (
  SELECT 1 FROM provisioner_jobs j
  WHERE j.id = t.job_id AND (j.completed_at IS NULL OR ${within(MINUTE, 't.updated_at', 'j.completed_at')})))`;
/** What the sliding expiry of a key would be by its last use. */
const SLID = "$shifted(t.last_used_at) + t.lifetime_seconds * interval '1 second'";

const always = (...names: readonly string[]): readonly WrongColumn[] => names.map((name) => ({ name }));

/** Each table with its wrong columns, in the order of repair: builds are compared with their jobs while neither is repaired. */
export const WRONG_COLUMNS: Readonly<Record<string, readonly WrongColumn[]>> = {
  workspace_builds: [
    ...always('created_at'),
    { name: 'updated_at', when: BY_CLIENT },
    { name: 'deadline', when: `t.deadline_rule <> 'activity' AND ${BY_CLIENT}` },
    // Activity moves the deadline alone, so the latest possible one is still the client's.
    { name: 'max_deadline', when: `t.deadline_rule = 'activity' OR ${BY_CLIENT}` },
  ],
  api_keys: [
    ...always('created_at', 'updated_at', 'absolute_expires_at', 'last_used_at'),
    // The expiry that slides with each use was computed in SQL; the first one was not.
    {
      name: 'expires_at',
      when: `t.last_used_at IS NULL OR NOT (${within(SECOND, 't.expires_at', SLID)})`,
      value: 'LEAST($shifted(t.expires_at), $shifted(t.absolute_expires_at))',
    },
  ],
  audit_verifications: always('at'),
  custom_roles: always('created_at', 'updated_at'),
  external_auth_links: always('expires_at', 'refresh_lease_until', 'created_at', 'updated_at'),
  files: always('created_at'),
  git_ssh_keys: always('created_at', 'updated_at'),
  group_members: always('created_at'),
  groups: always('created_at'),
  oauth2_provider_app_secrets: always('created_at', 'last_used_at'),
  oauth2_provider_apps: always('created_at', 'updated_at'),
  oauth2_provider_codes: always('created_at', 'expires_at', 'used_at'),
  oauth2_provider_device_codes: always('last_polled_at', 'created_at', 'expires_at'),
  oauth2_provider_tokens: always('granted_at', 'created_at', 'expires_at', 'rotated_at'),
  organization_members: always('created_at', 'updated_at'),
  organizations: always('created_at', 'updated_at'),
  provisioner_daemons: always('created_at', 'last_seen_at', 'draining_at'),
  provisioner_job_logs: always('created_at'),
  provisioner_job_timings: always('started_at', 'ended_at'),
  provisioner_jobs: [
    ...always('created_at', 'completed_at', 'canceled_at'),
    { name: 'updated_at', when: isPast('t.updated_at') },
    // No server runs: a daemon that still works renews its lease, and the job of any other one is given to another.
    { name: 'lease_expires_at', value: "now() + interval '30 seconds'" },
  ],
  provisioner_keys: always('created_at'),
  saved_searches: always('created_at'),
  site_settings: always('created_at'),
  template_versions: always('created_at', 'updated_at'),
  templates: always('created_at', 'updated_at'),
  user_identities: always('token_expires_at', 'token_checked_at', 'created_at', 'updated_at'),
  users: [
    ...always('created_at', 'last_seen_at', 'one_time_passcode_expires_at'),
    // The loop that marks accounts as dormant is raw SQL.
    { name: 'updated_at', when: `t.status <> 'dormant' AND ${isPast('t.updated_at')}` },
  ],
  workspace_agent_log_sources: always('created_at'),
  workspace_agent_logs: always('created_at'),
  workspace_agent_script_timings: always('started_at', 'ended_at'),
  workspace_agents: [
    ...always('created_at', 'started_at', 'ready_at'),
    {
      name: 'updated_at',
      when: `t.updated_at IS DISTINCT FROM t.last_connected_at AND t.updated_at IS DISTINCT FROM t.disconnected_at AND
        t.updated_at IS DISTINCT FROM t.first_connected_at AND ${isPast('t.updated_at')}`,
    },
  ],
  workspace_port_shares: always('created_at', 'updated_at'),
  workspace_proxies: always('created_at', 'updated_at', 'checked_at'),
  workspace_resources: always('created_at'),
  workspace_shares: always('created_at', 'expires_at', 'ended_at', 'last_used_at'),
  workspaces: [
    ...always('dormant_at', 'deleting_at', 'created_at', 'autostart_since', 'schedule_tried_at'),
    { name: 'updated_at', when: isPast('t.updated_at') },
    // Use is noted in raw SQL; creation, waking up and a reset by the template are not, and change the row's own time with it.
    {
      name: 'last_used_at',
      when: `${within(SECOND, 't.last_used_at', 't.created_at')} OR ${within(SECOND, 't.last_used_at', 't.updated_at')}`,
    },
  ],
};
