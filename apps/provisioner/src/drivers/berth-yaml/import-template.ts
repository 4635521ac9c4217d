import type { ProvisionedResource } from '@berth/protocol';
import type { DriverContext, NamedValue, ParsedTemplate } from '../../driver.ts';
import type { ResourceFormat } from './format-resources.ts';
import type { BerthYaml } from './format.ts';
import type { Scope } from './interpolate.ts';
import { toRichParameters, toVariables } from './parameters.ts';
import { readTemplate } from './read-template.ts';
import type { BrokenRule, Template } from './read-template.ts';
import { importScope, toResources, toTags } from './resources.ts';

/** What the two drivers that read berth.yaml do not have in common. */
export interface ResourceKind {
  readonly type: ResourceFormat['type'];
  /** What stays when a workspace is stopped. */
  stopResources(yaml: BerthYaml): ProvisionedResource[];
  /** What is wrong with the resources once values are filled in, beyond what all resources have to be like. */
  findFaults(yaml: BerthYaml, scope: Scope): BrokenRule[];
}

export interface ImportInput {
  readonly directory: string;
  readonly variableValues: readonly NamedValue[];
}

/** Reads a template for its import. Rejects with a `DriverError` that names file, line and rule. */
export async function importTemplate(
  { directory, variableValues }: ImportInput,
  kind: ResourceKind,
  { log }: DriverContext,
): Promise<ParsedTemplate> {
  const template = await readTemplate(directory);
  requireType(template, kind.type);
  const { yaml } = template;
  const variables = toVariables(yaml, variableValues);
  const parameters = toRichParameters(yaml);
  const missing = variables.filter((variable) => variable.required && variable.value === '');
  if (missing.length > 0) log('warn', `without a value: ${missing.map((variable) => variable.name).join(', ')}`);
  const scope = importScope(yaml, variableValues);
  const { resources, broken } = toResources(yaml, scope);
  const { tags, broken: brokenTags } = toTags(yaml, scope);
  // Without a value for everything an address may well be incomplete; a build judges it then.
  const isComplete = missing.length === 0 && parameters.every((parameter) => !parameter.required);
  const faults = [...broken, ...brokenTags, ...kind.findFaults(yaml, scope)];
  if (faults.length > 0 && isComplete) throw template.refuse(faults);
  log('info', `${resources.length} resource(s), ${parameters.length} parameter(s), ${variables.length} variable(s)`);
  return {
    readme: template.readme,
    variables,
    parameters,
    startResources: [...kind.stopResources(yaml), ...resources],
    stopResources: kind.stopResources(yaml),
    externalAuthProviders: yaml.external_auth,
    workspaceTags: tags,
  };
}

/** A driver is given only its own templates; one that lies about itself is refused by its first resource. */
export function requireType({ yaml, refuse }: Template, type: ResourceFormat['type']): void {
  const [first] = yaml.resources;
  if (first === undefined || first.type === type) return;
  throw refuse([{ path: ['resources', 0, 'type'], rule: `is ${first.type}, but this template is for ${type} workspaces` }]);
}
