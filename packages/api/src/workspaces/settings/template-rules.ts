import { notFound } from '@berth/core';
import type { Prisma, Tx } from '@berth/db';

const templateRulesSelect = {
  allowUserAutostart: true,
  allowUserAutostop: true,
  timeTilDormantAutodeleteMs: true,
} as const satisfies Prisma.TemplateSelect;
type TemplateRules = Prisma.TemplateGetPayload<{ select: typeof templateRulesSelect }>;

/** What a template says about the schedules of its workspaces. */
export async function loadTemplateRules(db: Tx, templateId: string): Promise<TemplateRules> {
  const template = await db.template.findUnique({ where: { id: templateId }, select: templateRulesSelect });
  if (template === null) throw notFound();
  return template;
}
