/** Users, their memberships and groups. User 1 owns the deployment and makes the measured calls. */
export const PEOPLE = [
  `INSERT INTO users (id, username, email, name, login_type, status, site_roles, created_at, updated_at, last_seen_at)
   SELECT pg_temp.bench_id('user', n), 'user-' || n, 'user-' || n || '@example.com', 'User ' || n, 'password', 'active',
          CASE WHEN n = 1 THEN ARRAY['owner'] ELSE ARRAY[]::text[] END,
          now() - interval '1 year' + n * interval '1 hour', now(), now() - n * interval '1 hour'
   FROM generate_series(1, $1::int) n`,
  `INSERT INTO organization_members (organization_id, user_id) SELECT o.id, u.id FROM organizations o, users u WHERE o.is_default`,
  `INSERT INTO groups (id, organization_id, name, display_name, quota_allowance)
   SELECT pg_temp.bench_id('group', n), o.id, 'team-' || n, 'Team ' || n, 20 FROM organizations o, generate_series(1, 10) n WHERE o.is_default`,
  `INSERT INTO group_members (group_id, user_id)
   SELECT pg_temp.bench_id('group', 1 + n % 10), pg_temp.bench_id('user', n) FROM generate_series(1, $1::int) n`,
];

/** A key of user 1; its id and the SHA-256 of its secret are the parameters. */
export const KEY = `
  INSERT INTO api_keys (id, user_id, hashed_secret, login_type, token_name, lifetime_seconds, expires_at, absolute_expires_at, last_used_at)
  VALUES ($1, pg_temp.bench_id('user', 1), $2, 'token', 'bench', 86400, now() + interval '1 day', now() + interval '1 day', now())
  ON CONFLICT (user_id, token_name) WHERE login_type = 'token'
  DO UPDATE SET id = EXCLUDED.id, hashed_secret = EXCLUDED.hashed_secret, expires_at = EXCLUDED.expires_at,
                absolute_expires_at = EXCLUDED.absolute_expires_at, last_used_at = EXCLUDED.last_used_at`;
