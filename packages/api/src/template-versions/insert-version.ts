import { conflict, newId } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import type { ProvisionerType } from '@berth/domain';
import { freeName } from '../kernel/free-name.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { enqueueJob } from '../provisioner-jobs/enqueue.ts';

export interface NewVersion {
  readonly organizationId: string;
  readonly templateId: string | null;
  /** Empty: one is made up. */
  readonly name: string;
  readonly message: string;
  readonly provisioner: ProvisionerType;
  readonly fileId: string;
  /** From the files. The import replaces it. */
  readonly readme: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly userVariableValues: readonly { readonly name: string; readonly value: string }[];
}

/** What the audit log tracks of a version. */
export interface TrackedVersion {
  readonly id: string;
  readonly template_id: string | null;
  readonly name: string;
  readonly readme: string;
  readonly created_by: string;
  readonly archived: boolean;
}

/** Makes a version and queues its import. The caller has authorised this. @throws conflict when the template has a version of that name. */
export async function insertVersion(call: UserCall, version: NewVersion): Promise<TrackedVersion> {
  const { db, services, principal } = call;
  const now = services.clock.now();
  const name = version.name === '' ? await freeName((names) => versionsNamed(call, version.templateId, names), '_') : version.name;
  if (version.templateId !== null) {
    const taken = await db.templateVersion.findFirst({ where: { templateId: version.templateId, name }, select: { id: true } });
    if (taken !== null) throw nameTaken(name);
  }
  const jobId = await enqueueJob(db, services, {
    kind: 'template_version_import',
    organizationId: version.organizationId,
    initiatorId: principal.userId,
    provisioner: version.provisioner,
    fileId: version.fileId,
    tags: version.tags,
    input: {},
    variableValues: version.userVariableValues,
    request: call.request,
  });
  const row = {
    id: newId(),
    templateId: version.templateId,
    organizationId: version.organizationId,
    jobId,
    name,
    message: version.message,
    readme: version.readme,
    createdById: principal.userId,
    createdAt: now,
    updatedAt: now,
  };
  try {
    await db.templateVersion.create({ data: row, select: { id: true } });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(name) : error;
  }
  return { id: row.id, template_id: row.templateId, name, readme: row.readme, created_by: row.createdById, archived: false };
}

async function versionsNamed({ db }: UserCall, templateId: string | null, names: readonly string[]): Promise<string[]> {
  if (templateId === null) return [];
  const versions = await db.templateVersion.findMany({ where: { templateId, name: { in: [...names] } }, select: { name: true } });
  return versions.map(({ name }) => name);
}

function nameTaken(name: string): Error {
  return conflict('A version with this name exists.', [{ field: 'name', detail: `the template has a version "${name}" already` }]);
}
