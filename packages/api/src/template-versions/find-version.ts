import { notFound } from '@berth/core';
import { Prisma } from '@berth/db';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import type { TemplateVersion, VersionByNamesInput, VersionByTemplateInput } from './contract.ts';
import { readVersions, versionObject } from './version-sql.ts';

/** The version of a template with this very name, as the only entry of a list. @throws notFound */
export async function listVersionsByName(call: UserCall, input: VersionByTemplateInput): Promise<TemplateVersion[]> {
  const where = Prisma.sql`t.id = ${input.template}::uuid AND v.name = ${input.templateversionname}`;
  return [await readOne(call, Prisma.sql`WHERE NOT t.deleted AND ${where}`)];
}

/** A version by its own name and that of its template, the latter in any case. @throws notFound */
export async function getVersionByNames(call: UserCall, input: VersionByNamesInput): Promise<TemplateVersion> {
  return readOne(call, Prisma.sql`WHERE ${await named(call, input)}`);
}

/** The version that was made last before the named one, archived or not. @throws notFound also when the named one is the first. */
export async function getPreviousVersion(call: UserCall, input: VersionByNamesInput): Promise<TemplateVersion> {
  const version = await getVersionByNames(call, input);
  return readOne(
    call,
    Prisma.sql`WHERE v.template_id = ${version.template_id}::uuid
      AND (v.created_at, v.id) < (SELECT created_at, id FROM template_versions WHERE id = ${version.id}::uuid)
      ORDER BY v.created_at DESC, v.id DESC LIMIT 1`,
  );
}

async function named(call: UserCall, input: VersionByNamesInput): Promise<Prisma.Sql> {
  const organization = await resolveOrganization(call, input.organization);
  return Prisma.sql`NOT t.deleted AND t.organization_id = ${organization.id}::uuid
    AND lower(t.name) = lower(${input.templatename}) AND v.name = ${input.templateversionname}`;
}

async function readOne(call: UserCall, tail: Prisma.Sql): Promise<TemplateVersion> {
  const [row] = await readVersions(call.db, call.services, tail);
  if (row === undefined) throw notFound();
  call.authorize.require(versionObject(row));
  return row.version;
}
