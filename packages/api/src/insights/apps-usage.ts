import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import { z } from 'zod';
import type { TemplateAppUsage } from './contract.ts';
import type { Period } from './period.ts';
import type { TemplateCondition } from './seen-templates.ts';
import { placesSql, withinPeriod } from './usage-sql.ts';

/** In the order of the answer. SFTP is a part of SSH, and is not told apart from it. */
const BUILTIN = [
  { slug: 'vscode', display_name: 'Visual Studio Code', icon: '' },
  { slug: 'jetbrains', display_name: 'JetBrains', icon: '' },
  { slug: 'reconnecting-pty', display_name: 'Web terminal', icon: '/icon/terminal.svg' },
  { slug: 'ssh', display_name: 'SSH', icon: '/icon/terminal.svg' },
  { slug: 'sftp', display_name: 'SFTP', icon: '/icon/folder.svg' },
] as const;

const PREFIX = 'app:';
const APPS_MAX = 500;

const Usage = z.array(z.object({ app: z.string(), seconds: z.int(), times_used: z.int(), template_ids: z.array(z.string()) }));
const Looks = z.array(z.object({ slug: z.string(), display_name: z.string(), icon: z.string() }));

/**
 * How long each app was used: the built-in ones always, and those of templates that were, the most used first. A person's half hour
 * counts thirty minutes at most, in however many workspaces.
 */
export async function appsUsage(
  db: Tx,
  { period, templates }: { readonly period: Period; readonly templates: TemplateCondition },
): Promise<TemplateAppUsage[]> {
  const rows = await db.$queryRaw(Prisma.sql`
    WITH counted AS (
      SELECT app, start_time, user_id, template_id, minutes
      FROM template_usage_buckets WHERE app <> '' AND ${withinPeriod(period)} AND ${templates(Prisma.sql`template_id`)}
    ), used AS (
      SELECT app, start_time, user_id, LEAST(30, sum(minutes)) AS minutes FROM counted GROUP BY 1, 2, 3
    ), stretches AS (
      SELECT *, lag(start_time) OVER (PARTITION BY app, user_id ORDER BY start_time) AS earlier FROM used
    ), totals AS (
      SELECT app, sum(minutes)::int * 60 AS seconds,
        count(*) FILTER (WHERE earlier IS NULL OR start_time - earlier > interval '30 minutes')::int AS times_used
      FROM stretches GROUP BY app
    ), ${placesSql(Prisma.sql`app`, Prisma.sql`counted`)}
    SELECT totals.*, places.template_ids FROM totals JOIN places USING (app) ORDER BY seconds DESC, app LIMIT ${APPS_MAX}`);
  const usage = Usage.parse(rows);
  const slugs = usage.flatMap(({ app }) => (app.startsWith(PREFIX) ? [app.slice(PREFIX.length)] : []));
  const looks = slugs.length === 0 ? new Map<string, AppLook>() : await looksOf(db, slugs, templates);
  const builtin = BUILTIN.map((look): TemplateAppUsage => {
    const { seconds = 0, times_used = 0, template_ids = [] } = usage.find(({ app }) => app === look.slug) ?? {};
    return { template_ids, type: 'builtin', ...look, seconds, times_used };
  });
  const apps = usage.flatMap(({ app, ...counts }): TemplateAppUsage[] => {
    if (!app.startsWith(PREFIX)) return [];
    const slug = app.slice(PREFIX.length);
    return [{ ...counts, type: 'app', ...(looks.get(slug) ?? { slug, display_name: slug, icon: '' }) }];
  });
  return [...builtin, ...apps];
}

interface AppLook {
  readonly slug: string;
  readonly display_name: string;
  readonly icon: string;
}

/** What the active versions of the templates call their apps; ports, and apps that are gone, have their slugs only. */
async function looksOf(db: Tx, slugs: readonly string[], templates: TemplateCondition): Promise<ReadonlyMap<string, AppLook>> {
  const rows = await db.$queryRaw(Prisma.sql`
    SELECT DISTINCT ON (app.slug) app.slug, coalesce(nullif(app.display_name, ''), app.slug) AS display_name, app.icon
    FROM templates t
    JOIN template_versions v ON v.id = t.active_version_id
    JOIN workspace_resources r ON r.job_id = v.job_id
    JOIN workspace_agents a ON a.resource_id = r.id
    JOIN workspace_apps app ON app.agent_id = a.id
    WHERE app.slug = ANY(${[...slugs]}::text[]) AND ${templates(Prisma.sql`t.id`)}
    ORDER BY app.slug, t.deleted, t.updated_at DESC, app.id`);
  return new Map(Looks.parse(rows).map((look) => [look.slug, look]));
}
