import { resolveRichParameters, richParameterFromWire } from '@berth/domain';
import type { BuildJob, ProvisionedResource } from '@berth/protocol';
import type { DriverContext, TemplateSource } from '../../driver.ts';
import type { BerthYaml } from './format.ts';
import { requireType } from './import-template.ts';
import type { ResourceKind } from './import-template.ts';
import type { Scope } from './interpolate.ts';
import { toRichParameters } from './parameters.ts';
import { readTemplate } from './read-template.ts';
import type { Template } from './read-template.ts';
import { buildScope, parameterEnvironment, toResources } from './resources.ts';

/** A template with the values of one build filled in. */
export interface TemplateOfBuild {
  readonly yaml: BerthYaml;
  readonly scope: Scope;
  readonly resources: ProvisionedResource[];
  /** The parameters as scripts get them. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface BuildInput {
  readonly job: BuildJob;
  readonly source: TemplateSource;
}

/** Reads the template of a build and judges its values. Rejects with a `DriverError` that names file, line and rule. */
export async function readForBuild({ job, source }: BuildInput, kind: ResourceKind, { log }: DriverContext): Promise<TemplateOfBuild> {
  const template = await readTemplate(await source());
  requireType(template, kind.type);
  const { yaml } = template;
  const scope = buildScope(yaml, withResolvedParameters(template, job));
  const { resources, broken } = toResources(yaml, scope);
  const faults = [...broken, ...kind.findFaults(yaml, scope)];
  if (faults.length > 0) throw template.refuse(faults);
  for (const { name, type, agents } of resources) {
    log(
      'info',
      agents.length === 0 ? `${name}: a ${type}` : `${name}: a ${type} with agent ${agents.map((agent) => agent.name).join(', ')}`,
    );
  }
  return { yaml, scope, resources, parameters: parameterEnvironment(yaml, scope) };
}

/**
 * The job with the value of every parameter, by the rules that the form and the server have gone by. What an earlier build had is the
 * server's to know: it judged what may change.
 */
function withResolvedParameters({ yaml, refuse }: Template, job: BuildJob): BuildJob {
  const definitions = toRichParameters(yaml).map(richParameterFromWire);
  const resolution = resolveRichParameters({ definitions, requested: job.rich_parameter_values, previous: [] });
  if (resolution.ok) return { ...job, rich_parameter_values: [...resolution.values] };
  throw refuse(
    resolution.problems.map(({ parameter, rule, detail }) => ({
      path: ['parameters', yaml.parameters.findIndex(({ name }) => name === parameter)],
      rule: `the value of ${parameter} breaks the rule ${rule}: ${detail}`,
    })),
  );
}
