import { conflict, notFound } from '@berth/core';
import type { TemplateVersion as VersionRow, Tx } from '@berth/db';
import { isUniqueViolation } from '@berth/db';
import type { UserCall } from '../kernel/procedures.ts';
import { trackedVersion } from './audit.ts';
import type { TemplateVersion, UpdateTemplateVersionInput } from './contract.ts';
import { readVersion, versionObject } from './version-sql.ts';

/** Renames a version, or changes its message. What is absent stays. @throws conflict when the template has a version of that name. */
export async function updateTemplateVersion(call: UserCall, input: UpdateTemplateVersionInput): Promise<TemplateVersion> {
  const { db, services } = call;
  const version = await holdVersion(call, input.templateversion);
  const name = input.name === undefined || input.name === '' ? version.name : input.name;
  try {
    const updated = await db.templateVersion.update({
      where: { id: version.id },
      data: { name, message: input.message ?? version.message, updatedAt: services.clock.now() },
    });
    call.audit.update({ target: updated.name, before: trackedVersion(version), after: trackedVersion(updated) });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('A version with this name exists.', [{ field: 'name', detail: `the template has a version "${name}" already` }]);
  }
  return (await readVersion(db, services, version.id)).version;
}

/** The row of a version that the caller may change: changes of one version, and builds that begin with it, take turns. */
export async function holdVersion(call: UserCall, id: string): Promise<VersionRow> {
  const found = await readVersion(call.db, call.services, id);
  call.audit.set({ resourceId: id, target: found.version.name, organizationId: found.version.organization_id });
  call.authorize.require(versionObject(found));
  return lockVersion(call.db, id);
}

async function lockVersion(db: Tx, id: string): Promise<VersionRow> {
  await db.$queryRaw`SELECT 1 FROM template_versions WHERE id = ${id}::uuid FOR UPDATE`;
  const version = await db.templateVersion.findUnique({ where: { id } });
  if (version === null) throw notFound();
  return version;
}
