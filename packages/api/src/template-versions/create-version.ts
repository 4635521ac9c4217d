import { invalid, invalidField, newId, notFound } from '@berth/core';
import type { Tx } from '@berth/db';
import { tagsProblem } from '@berth/domain';
import { fileObject, templateObject } from '@berth/rbac';
import { readFolder, writeTar } from '../files/tar.ts';
import { storeFile } from '../files/store-file.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import { Acl } from '../templates/acl.ts';
import { findExample } from '../templates/examples.ts';
import type { CreateTemplateVersionInput, TemplateVersion } from './contract.ts';
import { insertVersion } from './insert-version.ts';
import { readVersion } from './version-sql.ts';

/**
 * Makes a version from an uploaded archive or a starter template and queues its import. It belongs to `template_id`, or to no template
 * yet.
 *
 * @throws notFound for an unknown organization, template or file; invalid for the body; conflict when the name is taken.
 */
export async function createTemplateVersion(call: UserCall, input: CreateTemplateVersionInput): Promise<TemplateVersion> {
  const organization = await resolveOrganization(call, input.organization);
  call.audit.set({ resourceId: newId(), target: input.name ?? '', organizationId: organization.id });
  const templateId = await authorizeTarget(call, organization.id, input.template_id);
  const problem = tagsProblem(input.tags ?? {});
  if (problem !== null) throw invalidField('tags', problem);

  const version = await insertVersion(call, {
    organizationId: organization.id,
    templateId,
    name: input.name ?? '',
    message: input.message ?? '',
    provisioner: input.provisioner,
    fileId: await fileOf(call, input),
    tags: input.tags ?? {},
    userVariableValues: input.user_variable_values ?? [],
  });
  call.audit.set({ resourceId: version.id, target: version.name, organizationId: organization.id, after: { ...version } });
  const row = await readVersion(call.db, call.services, version.id);
  return row.version;
}

async function authorizeTarget(call: UserCall, organizationId: string, templateId: string | undefined): Promise<string | null> {
  if (templateId === undefined) {
    call.authorize.require(templateObject({ organizationId }));
    return null;
  }
  const template = await call.db.template.findFirst({
    where: { id: templateId, organizationId, deleted: false },
    select: { id: true, organizationId: true, userAcl: true, groupAcl: true },
  });
  if (template === null) throw notFound();
  call.authorize.require(templateObject({ ...template, userAcl: Acl.parse(template.userAcl), groupAcl: Acl.parse(template.groupAcl) }));
  return template.id;
}

async function fileOf(call: UserCall, { file_id, example_id }: CreateTemplateVersionInput): Promise<string> {
  const hasExample = example_id !== undefined && example_id !== '';
  if ((file_id === undefined) === !hasExample) {
    throw invalid('Validation failed.', [{ field: 'file_id', detail: 'give either file_id or example_id' }]);
  }
  if (file_id === undefined) return exampleFile(call, example_id ?? '');
  return readableFile(call.db, call, file_id);
}

async function readableFile(db: Tx, call: UserCall, fileId: string): Promise<string> {
  const file = await db.file.findUnique({ where: { id: fileId }, select: { id: true, createdById: true } });
  if (file === null || !call.authorize.can('read', fileObject({ id: file.id, createdBy: file.createdById }))) throw notFound();
  return file.id;
}

/** Packs a starter template and stores it as a file of the caller. @throws invalid when there is none with that id. */
export async function exampleFile(call: UserCall, exampleId: string): Promise<string> {
  const example = await findExample(call.services, exampleId);
  if (example === null) throw invalidField('example_id', 'there is no starter template with this id');
  const tar = await writeTar(await readFolder(example.folder));
  const file = await storeFile(call.db, call.services, { tar, userId: call.principal.userId });
  return file.id;
}
