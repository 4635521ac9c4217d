import { Prisma } from '@berth/db';
import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import { agentStatusSql } from '../agents/agent-status-sql.ts';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { isoSql } from '../kernel/wire-sql.ts';
import { resolveUser } from '../users/index.ts';
import type { ListReceived, ReceivedShare, ReceivedShares } from './contract.ts';
import { opensApp, placeOf } from './places.ts';
import { isRecipientSql, openSharesSql } from './share-sql.ts';

type RawApp = Omit<ReceivedShare['agents'][number]['apps'][number], 'subdomain_name' | 'url'> & {
  readonly external: boolean;
  readonly subdomain: boolean;
};
type RawShare = Omit<ReceivedShare, 'agents'> & {
  readonly agents: readonly {
    readonly id: string;
    readonly name: string;
    readonly is_connected: boolean;
    readonly apps: readonly RawApp[];
  }[];
};

/** What others share with a user now, by one statement beside that which finds the user. Soonest end first. */
export async function listReceived(call: UserCall, input: z.output<typeof ListReceived>): Promise<ReceivedShares> {
  const { db, services } = call;
  const user = await resolveUser(call, input.user);
  call.authorize.require(userObject(user.id));
  const now = services.clock.now();
  const rows = await db.$queryRaw<{ count: number; share: RawShare | null }[]>(Prisma.sql`
    WITH mine AS (
      SELECT s.*, w.name AS workspace_name, w.owner_id, w.organization_id, w.is_running, w.latest_build_id
      FROM ${openSharesSql(now)} AND ${isRecipientSql(user.id)}
    ), page AS (
      SELECT * FROM mine ORDER BY expires_at, id LIMIT ${input.limit} OFFSET ${input.offset}
    )
    SELECT (SELECT count(*)::int FROM mine) AS count, ${shareJson(now)} AS share
    FROM (SELECT 1) one LEFT JOIN page s ON TRUE
    LEFT JOIN users o ON o.id = s.owner_id
    LEFT JOIN users maker ON maker.id = s.created_by_id
    LEFT JOIN groups g ON g.id = s.group_id
    LEFT JOIN workspace_builds b ON b.id = s.latest_build_id
    ORDER BY s.expires_at, s.id`);
  return {
    shares: rows.flatMap(({ share }) => (share === null ? [] : [present(services, share)])),
    count: rows[0]?.count ?? 0,
  };
}

function shareJson(now: Date): Prisma.Sql {
  return Prisma.sql`CASE WHEN s.id IS NOT NULL THEN json_build_object(
    'id', s.id, 'access', s.access, 'agent_name', s.agent_name, 'app_slug', s.app_slug, 'terminal_id', s.terminal_id,
    'created_at', ${isoSql(Prisma.sql`s.created_at`)}, 'expires_at', ${isoSql(Prisma.sql`s.expires_at`)},
    'created_by', json_build_object('id', maker.id, 'username', maker.username, 'avatar_url', maker.avatar_url),
    'group', CASE WHEN g.id IS NOT NULL THEN json_build_object('id', g.id, 'name', g.name, 'display_name', g.display_name) END,
    'workspace', json_build_object('id', s.workspace_id, 'name', s.workspace_name, 'owner_id', s.owner_id, 'owner_name', o.username,
      'owner_avatar_url', o.avatar_url, 'organization_id', s.organization_id, 'is_running', s.is_running),
    'agents', COALESCE((
      SELECT json_agg(json_build_object('id', a.id, 'name', a.name, 'is_connected', (${agentStatusSql(now)}) = 'connected', 'apps', COALESCE((
          SELECT json_agg(json_build_object('id', app.id, 'slug', app.slug, 'display_name', app.display_name, 'icon', app.icon,
            'health', app.health, 'external', app.external, 'subdomain', app.subdomain) ORDER BY app.display_order, app.display_name, app.slug)
          FROM workspace_apps app
          WHERE s.access = 'apps' AND app.agent_id = a.id AND NOT app.external AND app.url <> ''
            AND CASE WHEN s.app_slug = '' THEN NOT app.hidden ELSE lower(app.slug) = s.app_slug END), '[]'::json)
        ) ORDER BY a.name, a.id)
      FROM workspace_resources r JOIN workspace_agents a ON a.resource_id = r.id
      WHERE r.job_id = b.job_id AND b.transition = 'start' AND (s.agent_name = '' OR lower(a.name) = s.agent_name)), '[]'::json)
  ) END`;
}

function present({ settings }: Services, share: RawShare): ReceivedShare {
  const { name: workspace, owner_name: owner } = share.workspace;
  const agents = share.agents.map((agent) => ({
    ...agent,
    apps: agent.apps.flatMap(({ external, subdomain, ...app }) => {
      const place = opensApp(settings, { external, subdomain })
        ? placeOf(settings, { slug: app.slug, agent: agent.name, workspace, owner })
        : null;
      return place === null ? [] : [{ ...app, ...place }];
    }),
  }));
  return { ...share, agents };
}
