import { TEMPLATE_COUNT } from './templates.ts';

/** Every build: `w` is its workspace, `k` its number, `n` both in one, `at` its time. The last one is some days old at most. */
const ALL_BUILDS = `generate_series(1, $1::int) w, generate_series(1, 5) k,
  LATERAL (SELECT (w * 10 + k)::bigint AS n, now() - ((5 - k) * 7 + w % 7 + 1) * interval '1 day' + w * interval '1 second' AS at) build`;
const STARTS_ONLY = `${ALL_BUILDS} WHERE pg_temp.starts(w, k)`;

/**
 * The workspaces with their builds: a start has a volume and a process with one agent, three apps, two scripts and four metadata
 * keys; a stop has the volume. The first parameter of each statement is how many workspaces, the second how many users.
 */
export const WORKSPACES = [
  `INSERT INTO provisioner_jobs (id, organization_id, initiator_id, kind, provisioner, file_id, tags, created_at, updated_at, started_at, completed_at, worker_id, attempt, request_id)
   SELECT pg_temp.bench_id('job', n), o.id, pg_temp.bench_id('user', 1 + w % $2::int), 'workspace_build', 'process',
          pg_temp.bench_id('file', 1 + w % ${TEMPLATE_COUNT}), '{"scope": "organization", "owner": ""}', at, at + interval '3 s',
          at + interval '1 s', at + interval '3 s', pg_temp.bench_id('daemon', 1), 1, pg_temp.bench_id('request', n)
   FROM organizations o, ${ALL_BUILDS} WHERE o.is_default`,
  `INSERT INTO workspaces (id, organization_id, owner_id, template_id, name, ttl_ms, created_at, updated_at, last_used_at)
   SELECT pg_temp.bench_id('workspace', w), o.id, pg_temp.bench_id('user', 1 + w % $2::int), pg_temp.bench_id('template', 1 + w % ${TEMPLATE_COUNT}),
          'workspace-' || w, 28800000, now() - interval '40 days', now(), now() - (w % 7) * interval '1 day'
   FROM organizations o, generate_series(1, $1::int) w WHERE o.is_default`,
  `INSERT INTO workspace_builds (id, workspace_id, build_number, transition, template_version_id, initiator_id, job_id, provisioner_state, daily_cost, created_at, updated_at)
   SELECT pg_temp.bench_id('build', n), pg_temp.bench_id('workspace', w), k, CASE WHEN pg_temp.starts(w, k) THEN 'start' ELSE 'stop' END,
          pg_temp.bench_id('version', (1 + w % ${TEMPLATE_COUNT}) * 10 + 1 + (k - 1) % 3), pg_temp.bench_id('user', 1 + w % $2::int),
          pg_temp.bench_id('job', n), decode(repeat('7b', 2000), 'hex'), 1, at, at + interval '3 s'
   FROM ${ALL_BUILDS}`,
  `UPDATE workspaces SET latest_build_id = pg_temp.bench_id('build', w * 10 + 5), is_running = pg_temp.starts(w, 5) FROM generate_series(1, $1::int) w
   WHERE id = pg_temp.bench_id('workspace', w) AND $2::int > 0`,
  `INSERT INTO workspace_build_parameters (build_id, name, value)
   SELECT pg_temp.bench_id('build', n), 'parameter_' || p, CASE p % 3 WHEN 0 THEN '4' WHEN 1 THEN 'small' ELSE 'true' END
   FROM ${ALL_BUILDS}, generate_series(1, 8) p WHERE $2::int > 0`,
  `INSERT INTO workspace_resources (id, job_id, transition, name, type, metadata, created_at)
   SELECT pg_temp.bench_id('volume', n), pg_temp.bench_id('job', n), CASE WHEN pg_temp.starts(w, k) THEN 'start' ELSE 'stop' END, 'home', 'volume',
          '[{"key": "size", "value": "10 GiB", "sensitive": false}]', at
   FROM ${ALL_BUILDS} WHERE $2::int > 0`,
  `INSERT INTO workspace_resources (id, job_id, transition, name, type, daily_cost, metadata, created_at)
   SELECT pg_temp.bench_id('process', n), pg_temp.bench_id('job', n), 'start', 'main', 'process', 1,
          '[{"key": "sandbox", "value": "bubblewrap", "sensitive": false}, {"key": "user", "value": "dev", "sensitive": false}]', at
   FROM ${STARTS_ONLY} AND $2::int > 0`,
  `INSERT INTO workspace_agents (id, resource_id, name, hashed_token, architecture, operating_system, directory, expanded_directory,
     environment_variables, display_apps, version, api_version, lifecycle_state, started_at, ready_at, first_connected_at, last_connected_at, disconnected_at, created_at, updated_at)
   SELECT pg_temp.bench_id('agent', n), pg_temp.bench_id('process', n), 'main', sha256(convert_to(pg_temp.bench_id('token', n)::text, 'UTF8')),
          'amd64', 'linux', '~', '/home/dev', '{"EDITOR": "vim", "LANG": "C.UTF-8"}', ARRAY['web_terminal', 'port_forwarding_helper'],
          'v0.1.0', '1.0', CASE WHEN k = 5 THEN 'ready' ELSE 'off' END, at + interval '2 s', at + interval '3 s', at + interval '2 s',
          CASE WHEN k = 5 THEN now() ELSE at + interval '1 hour' END, CASE WHEN k = 5 THEN NULL ELSE at + interval '1 hour' END, at, at
   FROM ${STARTS_ONLY} AND $2::int > 0`,
  `INSERT INTO workspace_apps (id, agent_id, slug, display_name, url, healthcheck_url, healthcheck_interval, healthcheck_threshold, health, display_order)
   SELECT pg_temp.bench_id('app' || a || '-', n), pg_temp.bench_id('agent', n), 'app-' || a, 'App ' || a, 'http://localhost:' || (8000 + a),
          'http://localhost:' || (8000 + a) || '/healthz', 10, 3, CASE a WHEN 1 THEN 'healthy' ELSE 'initializing' END, a
   FROM ${STARTS_ONLY.replace(' WHERE', ', generate_series(1, 3) a WHERE')} AND $2::int > 0`,
  `INSERT INTO workspace_agent_log_sources (id, agent_id, display_name, created_at)
   SELECT pg_temp.bench_id('source' || s || '-', n), pg_temp.bench_id('agent', n), 'Script ' || s, at
   FROM ${STARTS_ONLY.replace(' WHERE', ', generate_series(1, 2) s WHERE')} AND $2::int > 0`,
  `INSERT INTO workspace_agent_scripts (id, agent_id, log_source_id, display_name, script, run_on_start, run_on_stop, timeout_seconds)
   SELECT pg_temp.bench_id('script' || s || '-', n), pg_temp.bench_id('agent', n), pg_temp.bench_id('source' || s || '-', n), 'Script ' || s,
          repeat('echo hello' || chr(10), 20), s = 1, s = 2, 60
   FROM ${STARTS_ONLY.replace(' WHERE', ', generate_series(1, 2) s WHERE')} AND $2::int > 0`,
  `INSERT INTO workspace_agent_metadata (agent_id, key, display_name, script, interval_seconds, timeout_seconds, value, collected_at, display_order)
   SELECT pg_temp.bench_id('agent', n), 'key_' || m, 'Key ' || m, 'uptime', 10, 5, m || ' %', now(), m
   FROM ${STARTS_ONLY.replace(' WHERE', ', generate_series(1, 4) m WHERE')} AND $2::int > 0`,
];
