export const TEMPLATE_COUNT = 8;
const VERSIONS = 3;
const PARAMETERS_PER_VERSION = 8;

const ALL_VERSIONS = `generate_series(1, ${TEMPLATE_COUNT}) t, generate_series(1, ${VERSIONS}) v`;

/** Eight templates of three versions with eight parameters each; everyone in the organization may use them. */
export const TEMPLATES = [
  `INSERT INTO files (id, hash, created_by_id, mime_type, data)
   SELECT pg_temp.bench_id('file', n), decode(md5('file' || n), 'hex'), pg_temp.bench_id('user', 1), 'application/x-tar', decode(repeat('00', 1024), 'hex')
   FROM generate_series(1, ${TEMPLATE_COUNT}) n`,
  `INSERT INTO provisioner_daemons (id, organization_id, name, session_id, version, api_version, provisioners, tags, last_seen_at)
   SELECT pg_temp.bench_id('daemon', 1), o.id, 'bench', pg_temp.bench_id('session', 1), 'v0.1.0', '1.0', ARRAY['process'],
          '{"scope": "organization", "owner": ""}', now() FROM organizations o WHERE o.is_default`,
  `INSERT INTO provisioner_jobs (id, organization_id, initiator_id, kind, provisioner, file_id, tags, created_at, updated_at, started_at, completed_at, worker_id, attempt, request_id)
   SELECT pg_temp.bench_id('import', t * 10 + v), o.id, pg_temp.bench_id('user', 1), 'template_version_import', 'process', pg_temp.bench_id('file', t),
          '{"scope": "organization", "owner": ""}', at, at + interval '2 s', at + interval '1 s', at + interval '2 s',
          pg_temp.bench_id('daemon', 1), 1, pg_temp.bench_id('request', t * 10 + v)
   FROM organizations o, ${ALL_VERSIONS}, LATERAL (SELECT now() - interval '1 year' + v * interval '1 month' AS at) times WHERE o.is_default`,
  `INSERT INTO template_versions (id, organization_id, job_id, name, message, readme, created_by_id, created_at, updated_at)
   SELECT pg_temp.bench_id('version', t * 10 + v), o.id, pg_temp.bench_id('import', t * 10 + v), 'v' || v, 'Change ' || v, repeat('Words. ', 100),
          pg_temp.bench_id('user', 1), now() - interval '1 year' + v * interval '1 month', now()
   FROM organizations o, ${ALL_VERSIONS} WHERE o.is_default`,
  `INSERT INTO templates (id, organization_id, name, display_name, description, provisioner, active_version_id, created_by_id, group_acl)
   SELECT pg_temp.bench_id('template', t), o.id, 'template-' || t, 'Template ' || t, 'A template for the benchmark.', 'process',
          pg_temp.bench_id('version', t * 10 + ${VERSIONS}), pg_temp.bench_id('user', 1), jsonb_build_object(o.id::text, jsonb_build_array('read', 'use'))
   FROM organizations o, generate_series(1, ${TEMPLATE_COUNT}) t WHERE o.is_default`,
  `UPDATE template_versions SET template_id = pg_temp.bench_id('template', t) FROM ${ALL_VERSIONS} WHERE id = pg_temp.bench_id('version', t * 10 + v)`,
  `INSERT INTO template_version_parameters (template_version_id, name, display_name, description, description_plaintext, type, default_value, mutable, options, display_order)
   SELECT pg_temp.bench_id('version', t * 10 + v), 'parameter_' || p, 'Parameter ' || p, 'What **it** does.', 'What it does.',
          CASE p % 3 WHEN 0 THEN 'number' WHEN 1 THEN 'string' ELSE 'bool' END,
          CASE p % 3 WHEN 0 THEN '4' WHEN 1 THEN 'small' ELSE 'true' END, true,
          CASE WHEN p % 3 = 1 THEN '[{"name": "Small", "description": "Two cores", "value": "small", "icon": ""},
            {"name": "Large", "description": "Eight cores", "value": "large", "icon": ""}]'::jsonb ELSE '[]'::jsonb END, p
   FROM ${ALL_VERSIONS}, generate_series(1, ${PARAMETERS_PER_VERSION}) p`,
];
