import type { Tx } from '@berth/db';
import { Prisma } from '@berth/db';
import { z } from 'zod';
import { instantSql } from '../kernel/wire-sql.ts';
import { TemplateParameterUsage } from './contract.ts';
import type { Period } from './period.ts';
import type { TemplateCondition } from './seen-templates.ts';
import { placesSql } from './usage-sql.ts';

const PARAMETERS_MAX = 500;
const VALUES_MAX = 100;

/**
 * What workspaces were started with: of each, the last start in the period. Parameters that look the same in several templates are one,
 * and the values that most workspaces had come first.
 */
export async function parametersUsage(
  db: Tx,
  { period, templates }: { readonly period: Period; readonly templates: TemplateCondition },
): Promise<TemplateParameterUsage[]> {
  const look = Prisma.sql`name, type, display_name, description, options`;
  const rows = await db.$queryRaw(Prisma.sql`
    WITH started AS (
      SELECT DISTINCT ON (b.workspace_id) b.id, b.template_version_id, w.template_id
      FROM workspace_builds b JOIN workspaces w ON w.id = b.workspace_id
      WHERE b.transition = 'start' AND b.created_at >= ${instantSql(period.start)} AND b.created_at < ${instantSql(period.end)}
        AND ${templates(Prisma.sql`w.template_id`)}
      ORDER BY b.workspace_id, b.build_number DESC
    ), chosen AS (
      SELECT p.name, p.type, p.display_name, p.description, p.options::text AS options, given.value, started.template_id
      FROM started
      JOIN workspace_build_parameters given ON given.build_id = started.id
      JOIN template_version_parameters p ON p.template_version_id = started.template_version_id AND p.name = given.name
    ), counted AS (
      SELECT ${look}, value, count(*)::int AS count FROM chosen GROUP BY ${look}, value
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY ${look} ORDER BY count DESC, value) AS rank FROM counted
    ), parameters AS (
      SELECT ${look},
        json_agg(json_build_object('value', value, 'count', count) ORDER BY count DESC, value) FILTER (WHERE rank <= ${VALUES_MAX}) AS values
      FROM ranked GROUP BY ${look}
    ), ${placesSql(look, Prisma.sql`chosen`)}
    SELECT name, type, display_name, description, options::json AS options, values, template_ids
    FROM parameters JOIN places USING (name, type, display_name, description, options)
    ORDER BY name, type, display_name, description, parameters.options LIMIT ${PARAMETERS_MAX}`);
  return z.array(TemplateParameterUsage).parse(rows);
}
