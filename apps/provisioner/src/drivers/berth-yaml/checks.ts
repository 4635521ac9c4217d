import { checkInputs } from './checks-parameters.ts';
import { checkResources } from './checks-resources.ts';
import type { BerthYaml } from './format.ts';
import { findFault, KNOWN_REFERENCES } from './interpolate.ts';
import type { BrokenRule, Path } from './read-template.ts';
import { twins } from './twins.ts';

/** The rules of berth.yaml that hold between its fields. Empty: the file is good. */
export function findBrokenRules(yaml: BerthYaml): BrokenRule[] {
  return [
    ...checkInputs(yaml),
    ...twins(yaml.external_auth, { path: ['external_auth'], key: 'id', of: (item) => item.id }),
    ...checkResources(yaml),
    ...checkExpressions(yaml),
  ];
}

/** Every text in which values of a workspace are filled in, with its place. Must name the same fields as are filled in. */
function* filledTexts(yaml: BerthYaml): Generator<{ path: Path; text: string }> {
  for (const [index, resource] of yaml.resources.entries()) {
    const path = ['resources', index];
    for (const [at, item] of resource.metadata.entries()) yield { path: [...path, 'metadata', at, 'value'], text: String(item.value) };
    if (resource.type === 'container') {
      yield { path: [...path, 'image'], text: resource.image };
      yield { path: [...path, 'cpus'], text: String(resource.cpus ?? '') };
      yield { path: [...path, 'memory'], text: resource.memory ?? '' };
      for (const [name, value] of Object.entries(resource.env)) yield { path: [...path, 'env', name], text: String(value) };
    }
    const { agent } = resource;
    if (agent === undefined) continue;
    yield { path: [...path, 'agent', 'directory'], text: agent.directory };
    for (const [name, value] of Object.entries(agent.env)) yield { path: [...path, 'agent', 'env', name], text: String(value) };
    for (const [at, app] of agent.apps.entries()) {
      yield { path: [...path, 'agent', 'apps', at, 'url'], text: app.url };
      yield { path: [...path, 'agent', 'apps', at, 'healthcheck', 'url'], text: app.healthcheck?.url ?? '' };
    }
  }
}

function checkExpressions(yaml: BerthYaml): BrokenRule[] {
  const inputs = new Set<string>([
    ...yaml.parameters.map((parameter) => `parameters.${parameter.name}`),
    ...yaml.variables.map((variable) => `variables.${variable.name}`),
  ]);
  const defined = new Set<string>([...KNOWN_REFERENCES, ...inputs]);
  const inResources = [...filledTexts(yaml)].flatMap(({ path, text }) => {
    const fault = findFault(text, (reference) => defined.has(reference));
    return fault === undefined ? [] : [{ path, rule: fault }];
  });
  const inTags = Object.entries(yaml.tags).flatMap(([tag, text]) => {
    const fault = findFault(text, (reference) => inputs.has(reference));
    if (fault === undefined) return [];
    const isKnown = findFault(text, (reference) => defined.has(reference)) === undefined;
    return [
      { path: ['tags', tag], rule: isKnown ? 'may use parameters and variables only: it is read before there is a workspace' : fault },
    ];
  });
  return [...inResources, ...inTags];
}
