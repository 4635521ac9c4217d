import { invalidField, newId, notFound } from '@berth/core';
import type { Template } from '@berth/db';
import { tagsProblem } from '@berth/domain';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import type { VariableValue } from '../provisioner-jobs/sealed-input.ts';
import { findTemplate } from '../templates/judged-template.ts';
import { templateObject } from '@berth/rbac';
import type { CreateTemplateVersionInput, TemplateVersion } from './contract.ts';
import { insertVersion } from './insert-version.ts';
import { carriedValues, mergedValues } from './variable-values.ts';
import type { VersionSource } from './version-source.ts';
import { versionSource } from './version-source.ts';
import { readVersion } from './version-sql.ts';

/**
 * Makes a version from an uploaded archive, a starter template or an earlier version, and queues its import. It belongs to `template_id`,
 * or to no template yet. Its files say for which driver it is. Variables that are given no value keep the one that the template has.
 *
 * @throws notFound for an unknown organization, template, file or version; invalid for the body, files that are no template, and files
 * for another driver than the template's; conflict when the name is taken.
 */
export async function createTemplateVersion(call: UserCall, input: CreateTemplateVersionInput): Promise<TemplateVersion> {
  const organization = await resolveOrganization(call, input.organization);
  call.audit.set({ resourceId: newId(), target: input.name ?? '', organizationId: organization.id });
  const template = await authorizeTarget(call, organization.id, input.template_id);
  const problem = tagsProblem(input.tags ?? {});
  if (problem !== null) throw invalidField('tags', problem);
  const source = await versionSource(call, organization.id, input);
  if (template !== null && template.provisioner !== source.provisioner) {
    // What one driver made, another one could neither keep nor clean up.
    throw invalidField(
      'file_id',
      `is for the driver ${source.provisioner}, and the template for ${template.provisioner}: make a new template`,
    );
  }

  const version = await insertVersion(call, {
    organizationId: organization.id,
    templateId: template?.id ?? null,
    name: input.name ?? '',
    message: input.message ?? '',
    provisioner: source.provisioner,
    fileId: source.fileId,
    readme: source.readme,
    tags: input.tags ?? {},
    userVariableValues: mergedValues(await valuesToCarry(call, template, source), input.user_variable_values ?? []),
  });
  call.audit.set({ resourceId: version.id, target: version.name, organizationId: organization.id, after: { ...version } });
  const row = await readVersion(call.db, call.services, version.id);
  return row.version;
}

/**
 * Values move only within one template: the author of another one could make theirs show them. Those of the version that the files come
 * from, else of the active one.
 */
async function valuesToCarry(call: UserCall, template: Template | null, { fromVersion }: VersionSource): Promise<VariableValue[]> {
  if (template === null) return [];
  const from = fromVersion !== null && fromVersion.templateId === template.id ? fromVersion.id : template.activeVersionId;
  return carriedValues(call.db, call.services, from);
}

async function authorizeTarget(call: UserCall, organizationId: string, templateId: string | undefined): Promise<Template | null> {
  if (templateId === undefined) {
    call.authorize.require(templateObject({ organizationId }));
    return null;
  }
  const { template, object } = await findTemplate(call.db, templateId);
  if (template.organizationId !== organizationId) throw notFound();
  call.authorize.require(object);
  return template;
}
