import { notFound } from '@berth/core';
import { Prisma } from '@berth/db';
import { scopeSql } from '../kernel/scope-sql.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { Acl } from '../templates/acl.ts';
import { templateObject } from '@berth/rbac';

/** Which rows of a table with a column `template_id` an answer is about. */
export type TemplateCondition = (templateId: Prisma.Sql) => Prisma.Sql;

const EVERYTHING: TemplateCondition = () => Prisma.sql`TRUE`;

/**
 * The templates whose insights the caller asks about: the named ones, of which each must be allowed, or all that the caller may see
 * insights of, deleted ones included.
 *
 * @throws not_found for a named template that is not there, and for a caller who may see the insights of none.
 */
export async function seenTemplates(call: UserCall, named: readonly string[] = []): Promise<TemplateCondition> {
  if (named.length > 0) return amongst(await requireEach(call, [...new Set(named)]));
  const scope = call.authorize.scope();
  if (scope.everything && scope.onlyIds === null) return EVERYTHING;
  const rows = await call.db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT t.id FROM templates t
    WHERE ${scopeSql(scope, {
      id: Prisma.sql`t.id`,
      organization: Prisma.sql`t.organization_id`,
      userAcl: Prisma.sql`t.user_acl`,
      groupAcl: Prisma.sql`t.group_acl`,
    })}`);
  if (rows.length === 0) throw notFound();
  return amongst(rows.map(({ id }) => id));
}

async function requireEach(call: UserCall, ids: readonly string[]): Promise<readonly string[]> {
  const templates = await call.db.template.findMany({
    where: { id: { in: [...ids] }, deleted: false },
    select: { id: true, organizationId: true, userAcl: true, groupAcl: true },
  });
  if (templates.length < ids.length) throw notFound();
  for (const { userAcl, groupAcl, ...template } of templates) {
    call.authorize.require(templateObject({ ...template, userAcl: Acl.parse(userAcl), groupAcl: Acl.parse(groupAcl) }));
  }
  return ids;
}

function amongst(ids: readonly string[]): TemplateCondition {
  return (templateId) => Prisma.sql`${templateId} = ANY(${[...ids]}::uuid[])`;
}
