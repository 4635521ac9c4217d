import type { TemplateVersion } from '@berth/api/contract/template-versions';
import type { Template } from '@berth/api/contract/templates';
import { errorOf } from '@berth/client';

import type { Cli } from '../frame/cli.ts';
import { required, text } from '../frame/declare.ts';
import { notFoundError, usageError } from '../frame/errors.ts';

export const TEMPLATE_ARGUMENT = { template: required('[organization/]name of the template', { complete: 'template' }) };
export const ORGANIZATION_OPTION = {
  organization: text('--organization <name>', 'Its organization', { complete: 'organization' }),
};

/** The template of this name; where two organizations have one, its own or `--organization` says which. */
export async function findTemplate(cli: Cli, given: string, organization: string | undefined): Promise<Template> {
  const { client } = cli.session();
  const [first = '', second] = given.split('/');
  const name = second ?? first;
  const within = second === undefined ? organization : first;
  if (within !== undefined) {
    const found = await findInOrganization(cli, within, name);
    if (found === undefined) throw notFoundError(`There is no template "${name}" in ${within} that you may see.`);
    return found;
  }
  const found = (await client.templates.list.query({ q: `exact_name:${name}` })).filter((template) => template.name === name);
  const [only] = found;
  if (only === undefined) {
    throw notFoundError(`There is no template "${given}" that you may see.`, { next: 'List them with: berth templates list' });
  }
  if (found.length > 1) {
    throw usageError(`Several organizations have a template "${given}".`, {
      next: `Use one of: ${found.map((template) => `${template.organization_name}/${template.name}`).join(', ')}`,
    });
  }
  return only;
}

/** Undefined when there is none. */
export async function findInOrganization(cli: Cli, organization: string, name: string): Promise<Template | undefined> {
  try {
    return await cli.session().client.templates.getByName.query({ organization, templatename: name });
  } catch (error) {
    if (errorOf(error).kind === 'not_found') return undefined;
    throw error;
  }
}

/** A version by its name; the active one when none is given. */
export async function findVersion(cli: Cli, template: Template, name: string | undefined): Promise<TemplateVersion> {
  const { client } = cli.session();
  if (name === undefined) return client.templateVersions.get.query({ templateversion: template.active_version_id });
  try {
    return await client.templateVersions.getByNames.query({
      organization: template.organization_id,
      templatename: template.name,
      templateversionname: name,
    });
  } catch (cause) {
    if (errorOf(cause).kind !== 'not_found') throw cause;
    throw notFoundError(`The template ${template.name} has no version "${name}".`, {
      cause,
      next: `List them with: berth templates versions ${template.name}`,
    });
  }
}
