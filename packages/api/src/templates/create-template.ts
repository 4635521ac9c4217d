import { invalidField, newId, notFound } from '@berth/core';
import { Prisma } from '@berth/db';
import { templateObject } from '@berth/rbac';
import { writeAuditRow } from '../kernel/audit.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import { insertVersion } from '../template-versions/insert-version.ts';
import { exampleSource } from '../template-versions/version-source.ts';
import type { CreateTemplateInput, InstallExampleInput, Template } from './contract.ts';
import { findExample } from './examples.ts';
import { insertTemplate, versionAttached } from './insert-template.ts';
import { readTemplate } from './template-sql.ts';

/**
 * Makes a template from a version of the same organization that has none yet; the version becomes the active one, even while its
 * import still runs. Every member of the organization may use it unless `disable_everyone_group_access` is set.
 *
 * @throws notFound for an unknown organization or version; invalid for an archived or attached one; conflict when the name is taken.
 */
export async function createTemplate(call: UserCall, input: CreateTemplateInput): Promise<Template> {
  const { db } = call;
  const { id: organizationId } = await resolveOrganization(call, input.organization);
  call.audit.set({ resourceId: newId(), target: input.name, organizationId });
  call.authorize.require(templateObject({ organizationId }));
  const version = await db.templateVersion.findFirst({
    where: { id: input.template_version_id, organizationId },
    select: {
      id: true,
      templateId: true,
      name: true,
      readme: true,
      archived: true,
      createdById: true,
      job: { select: { provisioner: true } },
    },
  });
  if (version === null) throw notFound();
  if (version.archived) throw invalidField('template_version_id', 'the version is archived');
  if (version.templateId !== null) throw versionAttached();

  const { id } = await insertTemplate(call, {
    organizationId,
    provisioner: version.job.provisioner,
    version: {
      id: version.id,
      template_id: null,
      name: version.name,
      readme: version.readme,
      created_by: version.createdById,
      archived: false,
    },
    input,
  });
  return answer(call, id);
}

/** Makes a template from a starter in one step: stores its files, queues their import, and makes the template of that version. */
export async function installExample(call: UserCall, input: InstallExampleInput): Promise<Template> {
  const { id: organizationId } = await resolveOrganization(call, input.organization);
  call.audit.set({ resourceId: newId(), target: input.name ?? input.example_id, organizationId });
  call.authorize.require(templateObject({ organizationId }));
  const example = await findExample(call.services, input.example_id);
  if (example === null) throw invalidField('example_id', 'there is no starter template with this id');

  const { fileId, provisioner, readme } = await exampleSource(call, example.id);
  const version = await insertVersion(call, {
    organizationId,
    templateId: null,
    name: '',
    message: '',
    provisioner,
    fileId,
    readme,
    tags: {},
    userVariableValues: input.user_variable_values ?? [],
  });
  await writeAuditRow(call.db, {
    resource: 'template_version',
    action: 'create',
    userId: call.principal.userId,
    statusCode: 201,
    request: call.request,
    resourceId: version.id,
    target: version.name,
    organizationId,
    after: { ...version },
  });
  const { id } = await insertTemplate(call, {
    organizationId,
    provisioner,
    version,
    input: {
      name: input.name ?? example.slug.slice(0, 32),
      display_name: input.display_name ?? example.displayName.slice(0, 64),
      description: example.description.slice(0, 127),
      icon: example.icon.slice(0, 256),
      // People who only just met the product must be able to stop what they started.
      allow_user_cancel_workspace_jobs: true,
    },
  });
  return answer(call, id);
}

async function answer(call: UserCall, id: string): Promise<Template> {
  const row = await readTemplate(call.db, call.services, Prisma.sql`t.id = ${id}::uuid`);
  return row.template;
}
