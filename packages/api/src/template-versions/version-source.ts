import { invalid, invalidField, notFound } from '@berth/core';
import type { ProvisionerType } from '@berth/domain';
import { fileObject } from '@berth/rbac';
import { storeFile } from '../files/store-file.ts';
import { readFolder, writeTar } from '../files/tar.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { findExample } from '../templates/examples.ts';
import type { ArchiveOutline } from './archive-outline.ts';
import { outlineOfEntries, outlineOfTar } from './archive-outline.ts';
import type { CreateTemplateVersionInput } from './contract.ts';
import { readVersion, versionObject } from './version-sql.ts';

/** The files of a new version, the driver that they are for, and their README. */
export interface VersionSource extends ArchiveOutline {
  readonly fileId: string;
  /** The earlier version that they come from, if they do. */
  readonly fromVersion: { readonly id: string; readonly templateId: string | null } | null;
}

const FIELDS = ['file_id', 'example_id', 'from_version_id'] as const;

/**
 * Where the files of a new version come from: an upload that the caller may read, a starter template, or an earlier version of the same
 * organization whose template the caller may change.
 *
 * @throws invalid unless exactly one is named, and for files that are no template; notFound for what the caller may not read.
 */
export async function versionSource(call: UserCall, organizationId: string, input: CreateTemplateVersionInput): Promise<VersionSource> {
  const named = FIELDS.filter((field) => input[field] !== undefined && input[field] !== '');
  if (named.length !== 1) {
    throw invalid('Validation failed.', [{ field: 'file_id', detail: 'give exactly one of file_id, example_id and from_version_id' }]);
  }
  if (input.file_id !== undefined) return uploadedSource(call, input.file_id);
  if (input.from_version_id !== undefined) return earlierSource(call, organizationId, input.from_version_id);
  return exampleSource(call, input.example_id ?? '');
}

async function uploadedSource(call: UserCall, fileId: string): Promise<VersionSource> {
  const file = await call.db.file.findUnique({ where: { id: fileId }, select: { id: true, createdById: true } });
  if (file === null || !call.authorize.can('read', fileObject({ id: file.id, createdBy: file.createdById }))) throw notFound();
  const { data } = await call.db.file.findUniqueOrThrow({ where: { id: file.id }, select: { data: true } });
  return { fileId: file.id, ...(await outlineOfTar(data, 'file_id')), fromVersion: null };
}

async function earlierSource(call: UserCall, organizationId: string, versionId: string): Promise<VersionSource> {
  const found = await readVersion(call.db, call.services, versionId);
  const object = versionObject(found);
  // Whoever changes a template may read its files; somebody who only uses it may not.
  if (found.version.organization_id !== organizationId || !call.authorize.can('update', object)) {
    throw call.authorize.can('read', object)
      ? invalidField('from_version_id', 'is a version of a template that you cannot change, or of another organization')
      : notFound();
  }
  const { job, readme } = await call.db.templateVersion.findUniqueOrThrow({
    where: { id: versionId },
    select: { readme: true, job: { select: { fileId: true, provisioner: true } } },
  });
  return {
    fileId: job.fileId,
    // The column carries a check constraint with these very values.
    provisioner: job.provisioner as ProvisionerType,
    readme,
    fromVersion: { id: versionId, templateId: found.template_id },
  };
}

/** Packs a starter template and stores it as a file of the caller. @throws invalid when there is none with that id. */
export async function exampleSource(call: UserCall, exampleId: string): Promise<VersionSource> {
  const example = await findExample(call.services, exampleId);
  if (example === null) throw invalidField('example_id', 'there is no starter template with this id');
  const entries = await readFolder(example.folder);
  const outline = outlineOfEntries(entries, 'example_id');
  const file = await storeFile(call.db, call.services, { tar: await writeTar(entries), userId: call.principal.userId });
  return { fileId: file.id, ...outline, fromVersion: null };
}
