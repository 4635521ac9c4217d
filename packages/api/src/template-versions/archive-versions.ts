import { invalid, counted } from '@berth/core';
import { Prisma } from '@berth/db';
import type { Tx } from '@berth/db';
import { confirmed, type Confirmation } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { holdTemplate } from '../templates/judged-template.ts';
import { trackedVersion } from './audit.ts';
import type { ArchiveTemplateVersionsInput, ArchivedTemplateVersions, TemplateVersionInput } from './contract.ts';
import { holdVersion } from './update-version.ts';

/** How many versions one call archives; the next call goes on. */
const MAX_ARCHIVED = 1000;

/** A version `v` that a workspace stands on: its latest build is of it, and did not delete it. */
const IN_USE = Prisma.sql`EXISTS (
  SELECT 1 FROM workspace_builds b JOIN workspaces w ON w.latest_build_id = b.id
  WHERE b.template_version_id = v.id AND NOT w.deleted AND b.transition <> 'delete')`;

const IS_ACTIVE = Prisma.sql`EXISTS (SELECT 1 FROM templates t WHERE t.active_version_id = v.id AND NOT t.deleted)`;

/**
 * Puts a version out of the way: no workspace is made from it, and lists leave it out.
 *
 * @throws invalid when it is archived, active or in use, has no template, or its import has not ended.
 */
export async function archiveTemplateVersion(call: UserCall, input: TemplateVersionInput): Promise<Confirmation> {
  const version = await holdVersion(call, input.templateversion);
  if (version.archived) throw invalid('The version is archived already.');
  if (version.templateId === null) throw invalid('The version belongs to no template.');
  const why = await whyNot(call.db, version.id);
  if (why !== null) throw invalid(why);
  await setArchived(call, version, true);
  return confirmed('The version is archived.');
}

/** Brings an archived version back. @throws invalid when it is not archived. */
export async function unarchiveTemplateVersion(call: UserCall, input: TemplateVersionInput): Promise<Confirmation> {
  const version = await holdVersion(call, input.templateversion);
  if (!version.archived) throw invalid('The version is not archived.');
  if (version.templateId === null) throw invalid('The version belongs to no template.');
  await setArchived(call, version, false);
  return confirmed('The version is no longer archived.');
}

async function setArchived(call: UserCall, version: Parameters<typeof trackedVersion>[0], archived: boolean): Promise<void> {
  const updated = await call.db.templateVersion.update({
    where: { id: version.id },
    data: { archived, updatedAt: call.services.clock.now() },
  });
  call.audit.update({ before: trackedVersion(version), after: trackedVersion(updated) });
}

async function whyNot(db: Tx, id: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ active: boolean; used: boolean; over: boolean }[]>(Prisma.sql`
    SELECT ${IS_ACTIVE} AS active, ${IN_USE} AS used, j.completed_at IS NOT NULL AS over
    FROM template_versions v JOIN provisioner_jobs j ON j.id = v.job_id WHERE v.id = ${id}::uuid`);
  if (row === undefined || !row.over) return 'The import of the version has not ended yet.';
  if (row.active) return 'The version is the active one of its template.';
  return row.used ? 'A workspace is on this version.' : null;
}

/**
 * Archives the versions of a template that nothing uses: those whose import failed, or with `all` every one whose import ended. Each
 * leaves an audit row of its own.
 */
export async function archiveUnusedVersions(call: UserCall, input: ArchiveTemplateVersionsInput): Promise<ArchivedTemplateVersions> {
  const { db, services } = call;
  const { template, object } = await holdTemplate(db, input.template);
  const organizationId = template.organizationId;
  call.audit.set({ resourceId: template.id, target: template.name, organizationId });
  call.authorize.require(object);
  const failed = input.all === true ? Prisma.empty : Prisma.sql`AND j.error <> ''`;
  const unused = await db.$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT v.id FROM template_versions v JOIN provisioner_jobs j ON j.id = v.job_id
    WHERE v.template_id = ${template.id}::uuid AND NOT v.archived AND j.completed_at IS NOT NULL ${failed}
      AND v.id <> ${template.activeVersionId}::uuid AND NOT ${IN_USE}
    ORDER BY v.created_at, v.id LIMIT ${MAX_ARCHIVED} FOR UPDATE OF v`);
  const ids = unused.map(({ id }) => id);
  const before = await db.templateVersion.findMany({ where: { id: { in: ids } }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  await db.templateVersion.updateMany({ where: { id: { in: ids } }, data: { archived: true, updatedAt: services.clock.now() } });
  call.audit.discard();
  for (const version of before) {
    const tracked = trackedVersion(version);
    call.audit.add({
      resourceId: version.id,
      target: version.name,
      organizationId,
      before: tracked,
      after: { ...tracked, archived: true },
    });
  }
  return {
    ...confirmed(ids.length === 0 ? 'There was no version to archive.' : `Archived ${counted(ids.length, 'version')}.`),
    template_id: template.id,
    archived_ids: ids,
  };
}
