import { uniqueName } from '@berth/testing';
import { noInput, ofOrganization, ofTemplate, ofVersion, ofDryRun } from './of.ts';
import type { InputOf } from './of.ts';

export const templatesInputs: Readonly<Record<string, InputOf>> = {
  'templateVersions.create': ({ organization }) => ({
    organization: organization.id,
    provisioner: 'process',
    storage_method: 'file',
    example_id: 'no such example',
  }),
  'templateVersions.list': ofTemplate,
  'templateVersions.get': ofVersion,
  'templateVersions.cancel': ofVersion,
  'templateVersions.archive': async ({ organization, template, rows }) => ({
    templateversion: (await rows.version({ organization, templateId: template.id })).version.id,
  }),
  'templateVersions.unarchive': async ({ organization, template, rows }) => ({
    templateversion: (await rows.version({ organization, templateId: template.id, archived: true })).version.id,
  }),
  'templateVersions.archiveUnused': async ({ organization, template, rows }) => {
    await rows.version({ organization, templateId: template.id, status: 'failed' });
    return { template: template.id };
  },
  'templateVersions.update': ({ version }) => ({ templateversion: version.id, message: 'said' }),
  'templateVersions.listByName': ({ template, version }) => ({ template: template.id, templateversionname: version.name }),
  'templateVersions.getByNames': ({ organization, template, version }) => ({
    organization: organization.id,
    templatename: template.name,
    templateversionname: version.name,
  }),
  'templateVersions.getPrevious': async ({ organization, template, rows }) => ({
    organization: organization.id,
    templatename: template.name,
    templateversionname: (await rows.version({ organization, templateId: template.id })).version.name,
  }),
  'templates.delete': async ({ organization, rows }) => ({ template: (await rows.template({ organization })).template.id }),
  'templateVersions.createDryRun': ofVersion,
  'templateVersions.dryRun': ofDryRun,
  'templateVersions.dryRunResources': ofDryRun,
  'templateVersions.dryRunLogs': ofDryRun,
  'templateVersions.followDryRunLogs': ofDryRun,
  'templateVersions.cancelDryRun': ofDryRun,
  'templateVersions.externalAuth': ofVersion,
  'templateVersions.logs': ofVersion,
  'templateVersions.followLogs': ofVersion,
  'templateVersions.resources': ofVersion,
  'templateVersions.richParameters': ofVersion,
  'templateVersions.variables': ofVersion,
  'templates.list': noInput,
  'templates.listByOrganization': ofOrganization,
  'templates.get': ofTemplate,
  'templates.getByName': ({ organization, template }) => ({ organization: organization.id, templatename: template.name }),
  'templates.create': async ({ organization, rows }) => ({
    organization: organization.id,
    name: uniqueName('template'),
    template_version_id: (await rows.version({ organization })).version.id,
  }),
  'templates.acl': ofTemplate,
  'templates.aclAvailable': ofTemplate,
  'templates.aclUsers': async ({ caller, template, holder }) => {
    await caller.templates.updateAcl({ template: template.id, user_perms: { [holder.id]: 'use' } });
    return { template: template.id };
  },
  'templates.updateAcl': ({ template, holder }) => ({ template: template.id, user_perms: { [holder.id]: 'use' } }),
  'templates.update': ({ template }) => ({ template: template.id, description: 'said' }),
  'templates.policyImpact': ({ template }) => ({ template: template.id, time_til_dormant_ms: 60_000 }),
  'templates.daus': ofTemplate,
  'templates.promote': ({ template, version }) => ({ template: template.id, id: version.id }),
  'templates.examples': noInput,
  'templates.examplesByOrganization': ofOrganization,
  'templates.installExample': ({ organization }) => ({ organization: organization.id, example_id: 'no such example' }),
};
