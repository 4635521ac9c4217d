import { notFound } from '@berth/core';
import type { Template, Tx } from '@berth/db';
import type { ObjectRef } from '@berth/rbac';
import { templateObject } from '@berth/rbac';
import { Acl } from './acl.ts';

function judged(template: Pick<Template, 'id' | 'organizationId' | 'userAcl' | 'groupAcl'>): ObjectRef<'template'> {
  return templateObject({ ...template, userAcl: Acl.parse(template.userAcl), groupAcl: Acl.parse(template.groupAcl) });
}

/** The row of a template, with the object to ask permission for. @throws notFound when there is none, or no more. */
export async function findTemplate(db: Tx, id: string): Promise<{ template: Template; object: ObjectRef<'template'> }> {
  const template = await db.template.findUnique({ where: { id, deleted: false } });
  if (template === null) throw notFound();
  return { template, object: judged(template) };
}

/** The same for a change: changes of one template take turns, so that each sees what the other left. */
export async function holdTemplate(db: Tx, id: string): Promise<{ template: Template; object: ObjectRef<'template'> }> {
  await db.$queryRaw`SELECT 1 FROM templates WHERE id = ${id}::uuid FOR UPDATE`;
  return findTemplate(db, id);
}
