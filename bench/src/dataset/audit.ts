/**
 * Audit rows over the last year, oldest first: about half about builds, a quarter sign-ins and tokens, the rest everything else.
 * Parameters: the first and the last row, how many rows there will be, how many users, how many workspaces.
 */
export const AUDIT = `
  INSERT INTO audit_logs (id, time, organization_id, user_id, ip, user_agent, request_id, resource_type, resource_id, resource_target, action, diff,
    status_code, additional_fields, build_reason)
  SELECT pg_temp.bench_id('audit', n), now() - interval '365 days' + (n::float8 / $3::bigint) * interval '365 days',
    CASE WHEN kind IN ('api_key', 'user', 'oauth2_provider_app', 'workspace_proxy') THEN NULL ELSE o.id END,
    pg_temp.bench_id('user', u), '10.0.' || u % 256 || '.' || n % 250, 'Mozilla/5.0 (X11; Linux x86_64)', pg_temp.bench_id('request', n), kind,
    CASE kind WHEN 'workspace_build' THEN pg_temp.bench_id('build', w * 10 + 1 + n % 5) WHEN 'workspace' THEN pg_temp.bench_id('workspace', w)
      WHEN 'user' THEN pg_temp.bench_id('user', 1 + n % $4::int) WHEN 'template' THEN pg_temp.bench_id('template', 1 + n % 8)
      WHEN 'template_version' THEN pg_temp.bench_id('version', (1 + n % 8) * 10 + 1 + n % 3) WHEN 'group' THEN pg_temp.bench_id('group', 1 + n % 10)
      WHEN 'api_key' THEN pg_temp.bench_id('user', u) ELSE pg_temp.bench_id(kind, n % 10) END,
    CASE kind WHEN 'workspace_build' THEN 'workspace-' || w WHEN 'workspace' THEN 'workspace-' || w WHEN 'user' THEN 'user-' || (1 + n % $4::int)
      WHEN 'template' THEN 'template-' || (1 + n % 8) WHEN 'group' THEN 'team-' || (1 + n % 10) WHEN 'api_key' THEN '' ELSE kind || '-' || n % 10 END,
    action,
    CASE WHEN status >= 400 OR action IN ('start', 'stop', 'login', 'logout') THEN '{}'::jsonb
      ELSE jsonb_build_object('name', jsonb_build_object('old', 'before-' || n % 100, 'new', 'after-' || n % 100, 'secret', false)) END,
    status,
    CASE WHEN kind = 'workspace_build' THEN jsonb_build_object('workspace_name', 'workspace-' || w, 'workspace_id', pg_temp.bench_id('workspace', w),
      'workspace_owner', 'user-' || u, 'build_number', (1 + n % 5)::text, 'build_reason', reason) ELSE '{}'::jsonb END,
    CASE WHEN kind IN ('workspace_build', 'workspace') THEN reason END
  FROM organizations o, generate_series($1::bigint, $2::bigint) n,
    LATERAL (SELECT pg_temp.pick(n, 1, $4::int) AS u, pg_temp.pick(n, 2, $5::int) AS w, pg_temp.pick(n, 3, 100) AS bucket,
      CASE WHEN n % 20 = 0 THEN 403 ELSE 200 END AS status) chance,
    LATERAL (SELECT
      CASE WHEN bucket <= 50 THEN 'workspace_build' WHEN bucket <= 60 THEN 'workspace' WHEN bucket <= 85 THEN 'api_key' WHEN bucket <= 89 THEN 'user'
        WHEN bucket <= 92 THEN 'template' WHEN bucket <= 95 THEN 'template_version' WHEN bucket <= 97 THEN 'group'
        WHEN bucket = 98 THEN 'oauth2_provider_app' WHEN bucket = 99 THEN 'organization_member' ELSE 'workspace_proxy' END AS kind,
      CASE WHEN bucket <= 30 THEN 'start' WHEN bucket <= 50 THEN 'stop' WHEN bucket <= 54 THEN 'create' WHEN bucket <= 58 THEN 'write'
        WHEN bucket <= 60 THEN 'delete' WHEN bucket <= 75 THEN 'login' WHEN bucket <= 80 THEN 'logout' WHEN bucket <= 85 THEN 'create'
        WHEN bucket <= 92 THEN 'write' WHEN bucket <= 95 THEN 'create' ELSE 'write' END AS action,
      (ARRAY['initiator', 'initiator', 'initiator', 'autostart', 'autostop', 'dormancy'])[1 + n % 6] AS reason) what
  WHERE o.is_default`;
