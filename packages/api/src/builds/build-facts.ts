import { notFound } from '@berth/core';
import type { Prisma, Tx } from '@berth/db';
import { Prisma as Sql } from '@berth/db';
import type { ObjectRef } from '@berth/rbac';
import { templateObject, workspaceObject } from '@berth/rbac';
import { z } from 'zod';

/** What the rules of a build ask of its template. */
export const templateFactsSelect = {
  id: true,
  name: true,
  organizationId: true,
  activeVersionId: true,
  requireActiveVersion: true,
  provisioner: true,
  userAcl: true,
  groupAcl: true,
} as const satisfies Prisma.TemplateSelect;
export type TemplateFactsRow = Prisma.TemplateGetPayload<{ select: typeof templateFactsSelect }>;

const latestBuildSelect = {
  id: true,
  buildNumber: true,
  transition: true,
  templateVersionId: true,
  dailyCost: true,
  job: { select: { startedAt: true, completedAt: true, canceledAt: true, error: true } },
  parameters: { select: { name: true, value: true } },
} as const satisfies Prisma.WorkspaceBuildSelect;

/** What the rules of a build ask of its workspace. */
export const workspaceFactsSelect = {
  id: true,
  name: true,
  ownerId: true,
  organizationId: true,
  dormantAt: true,
  deleted: true,
  owner: { select: { username: true } },
  template: { select: templateFactsSelect },
  latestBuild: { select: latestBuildSelect },
} as const satisfies Prisma.WorkspaceSelect;
export type WorkspaceFactsRow = Prisma.WorkspaceGetPayload<{ select: typeof workspaceFactsSelect }>;

/**
 * The workspace for a change of its builds, its row locked until the transaction ends, so that of two builds at once the second
 * sees the first. Locked before it is read: the facts are those of after the wait. Its template is held first, as in every change
 * (templates/judged-template.ts): nobody archives a version that the build is about to stand on.
 */
export async function lockWorkspaceFacts(db: Tx, id: string): Promise<WorkspaceFactsRow> {
  await db.$queryRaw(Sql.sql`
    SELECT 1 FROM templates WHERE id = (SELECT template_id FROM workspaces WHERE id = ${id}::uuid) FOR KEY SHARE`);
  const locked = await db.$queryRaw<unknown[]>(Sql.sql`SELECT 1 FROM workspaces WHERE id = ${id}::uuid FOR UPDATE`);
  if (locked.length === 0) throw notFound();
  const row = await db.workspace.findUnique({ where: { id }, select: workspaceFactsSelect });
  if (row === null) throw notFound();
  return row;
}

const Acl = z.record(z.string(), z.array(z.string()));

/** The template as the permission rules see it. */
export function templateRef(template: Pick<TemplateFactsRow, 'id' | 'organizationId' | 'userAcl' | 'groupAcl'>): ObjectRef<'template'> {
  return templateObject({
    id: template.id,
    organizationId: template.organizationId,
    userAcl: Acl.parse(template.userAcl),
    groupAcl: Acl.parse(template.groupAcl),
  });
}

/** The workspace as the permission rules see it. */
export function workspaceRef(workspace: Pick<WorkspaceFactsRow, 'id' | 'ownerId' | 'organizationId' | 'dormantAt'>) {
  return workspaceObject(workspace);
}
