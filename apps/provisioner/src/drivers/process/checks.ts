import type { BerthYaml, ParameterFormat } from './format.ts';
import { findFault, KNOWN_REFERENCES } from './interpolate.ts';
import { isRequired, parameterEnvironmentName, toText } from './parameters.ts';
import type { BrokenRule, Path } from './read-template.ts';

/** The rules of berth.yaml that hold between its fields. Empty: the file is good. */
export function findBrokenRules(yaml: BerthYaml): BrokenRule[] {
  return [
    ...findTwins(yaml),
    ...yaml.variables.flatMap((variable, index) => {
      const path = ['variables', index, 'default'];
      if (variable.default === undefined) {
        return isRequired(variable) || variable.type === 'string'
          ? []
          : [{ path: ['variables', index], rule: `a ${variable.type} that is not required needs a default` }];
      }
      return fitsType(variable.type, toText(variable.default)) ? [] : [{ path, rule: `must be a ${variable.type}` }];
    }),
    ...yaml.parameters.flatMap((parameter, index) => checkParameter({ yaml, parameter, path: ['parameters', index] })),
    ...checkResources(yaml),
    ...checkExpressions(yaml),
  ];
}

/** Whether `text` is a value of the type, as the server will judge it. */
function fitsType(type: ParameterFormat['type'], text: string): boolean {
  switch (type) {
    case 'string':
      return true;
    case 'number':
      return /^-?\d{1,15}$/.test(text);
    case 'bool':
      return text === 'true' || text === 'false';
    case 'list(string)':
      return isListOfStrings(text);
  }
}

function isListOfStrings(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => typeof item === 'string');
  } catch {
    return false;
  }
}

function findTwins(yaml: BerthYaml): BrokenRule[] {
  const agents = yaml.resources.map((resource) => resource.agent);
  return [
    ...twins(yaml.variables, { path: ['variables'], key: 'name', of: (item) => item.name }),
    ...twins(yaml.parameters, { path: ['parameters'], key: 'name', of: (item) => parameterEnvironmentName(item.name) }),
    ...twins(yaml.resources, { path: ['resources'], key: 'name', of: (item) => item.name.toLowerCase() }),
    ...agents.flatMap((agent, index) =>
      agents.findIndex((other) => other.name.toLowerCase() === agent.name.toLowerCase()) < index
        ? [
            {
              path: ['resources', index, 'agent', 'name'],
              rule: `the agent name ${agent.name} is taken: each agent of a workspace needs its own`,
            },
          ]
        : [],
    ),
    ...agents.flatMap((agent, index) => [
      ...twins(agent.apps, { path: ['resources', index, 'agent', 'apps'], key: 'slug', of: (item) => item.slug }),
      ...twins(agent.metadata, { path: ['resources', index, 'agent', 'metadata'], key: 'key', of: (item) => item.key }),
    ]),
    ...yaml.resources.flatMap((resource, index) =>
      twins(resource.metadata, { path: ['resources', index, 'metadata'], key: 'key', of: (item) => item.key }),
    ),
    ...yaml.parameters.flatMap((parameter, index) =>
      twins(parameter.options, { path: ['parameters', index, 'options'], key: 'value', of: (item) => toText(item.value) }),
    ),
  ];
}

function twins<T>(items: readonly T[], { path, key, of }: { path: Path; key: string; of: (item: T) => string }): BrokenRule[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const first = seen.get(of(item));
    if (first === undefined) {
      seen.set(of(item), index);
      return [];
    }
    return [{ path: [...path, index, key], rule: `is the same as that of ${path.at(-1)?.toString()}[${first}]: each needs its own` }];
  });
}

function checkParameter({ yaml, parameter, path }: { yaml: BerthYaml; parameter: ParameterFormat; path: Path }): BrokenRule[] {
  const { type, validation, options, condition } = parameter;
  const broken: BrokenRule[] = [];
  const refuse = (key: readonly PropertyKey[], rule: string) => broken.push({ path: [...path, ...key], rule });

  if (parameter.required === true && parameter.default !== undefined) refuse(['required'], 'a required parameter has no default');
  if (parameter.default === undefined && !isRequired(parameter) && type !== 'string') {
    refuse([], `a ${type} that is not required needs a default`);
  }
  if (parameter.ephemeral && !parameter.mutable) refuse(['ephemeral'], 'needs mutable: true');
  if (parameter.ephemeral && parameter.default === undefined) refuse(['ephemeral'], 'needs a default');

  for (const [index, option] of options.entries()) {
    if (!fitsType(type, toText(option.value))) refuse(['options', index, 'value'], `must be a ${type}`);
  }

  if (validation?.regex !== undefined) {
    if (type !== 'string') refuse(['validation', 'regex'], 'is for strings only');
    if (compile(validation.regex) === undefined) {
      refuse(['validation', 'regex'], 'is not a regular expression of RE2, which has no look-around and no back-references');
    }
  }
  for (const key of ['min', 'max', 'monotonic'] as const) {
    if (validation?.[key] !== undefined && type !== 'number') refuse(['validation', key], 'is for numbers only');
  }
  if (validation?.min !== undefined && validation.max !== undefined && validation.min > validation.max) {
    refuse(['validation', 'min'], 'is larger than max');
  }

  if (parameter.default !== undefined) {
    const fault = faultOfValue(parameter, toText(parameter.default));
    if (fault !== undefined) refuse(['default'], fault);
  }

  if (condition !== undefined) broken.push(...checkCondition({ yaml, parameter, path: [...path, 'condition'] }));
  return broken;
}

function faultOfValue({ type, options, validation }: ParameterFormat, text: string): string | undefined {
  if (!fitsType(type, text)) return type === 'number' ? 'must be a whole number' : `must be a ${type}`;
  if (options.length > 0) {
    return options.some((option) => toText(option.value) === text) ? undefined : 'must be the value of one of the options';
  }
  if (type === 'string' && validation?.regex !== undefined && compile(validation.regex)?.test(text) === false) {
    return 'does not match validation.regex';
  }
  if (type === 'number' && validation?.min !== undefined && Number(text) < validation.min) return 'is less than validation.min';
  if (type === 'number' && validation?.max !== undefined && Number(text) > validation.max) return 'is more than validation.max';
  return undefined;
}

function checkCondition({ yaml, parameter, path }: { yaml: BerthYaml; parameter: ParameterFormat; path: Path }): BrokenRule[] {
  const { condition } = parameter;
  if (condition === undefined) return [];
  const other = yaml.parameters.find((candidate) => candidate.name === condition.parameter);
  if (other === undefined) return [{ path: [...path, 'parameter'], rule: `there is no parameter ${condition.parameter}` }];
  const seen = new Set([parameter.name]);
  for (let at: ParameterFormat | undefined = other; at !== undefined;) {
    if (seen.has(at.name)) return [{ path: [...path, 'parameter'], rule: 'the conditions go round in a circle' }];
    seen.add(at.name);
    const next: string | undefined = at.condition?.parameter;
    at = yaml.parameters.find((candidate) => candidate.name === next);
  }
  const broken: BrokenRule[] = [];
  if (parameter.default === undefined) broken.push({ path, rule: 'a parameter that is not always asked for needs a default' });
  const never = [condition.equals]
    .flat()
    .map(toText)
    .find((text) => faultOfValue(other, text) !== undefined);
  if (never !== undefined) broken.push({ path: [...path, 'equals'], rule: `${other.name} can never be ${JSON.stringify(never)}` });
  return broken;
}

/** The server matches by RE2, which has neither look-around nor back-references. */
const NOT_RE2 = /\(\?<?[=!]|\\[1-9k]/;

function compile(source: string): RegExp | undefined {
  if (NOT_RE2.test(source)) return undefined;
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

function checkResources(yaml: BerthYaml): BrokenRule[] {
  const broken: BrokenRule[] = [];
  const [first] = yaml.resources;
  for (const [index, resource] of yaml.resources.entries()) {
    if (resource.persistent_home !== first?.persistent_home) {
      broken.push({ path: ['resources', index, 'persistent_home'], rule: 'must be the same for all resources: the home is one' });
    }
    for (const [at, app] of resource.agent.apps.entries()) {
      const path = ['resources', index, 'agent', 'apps', at];
      if ((app.url === '') === (app.command === '')) broken.push({ path, rule: 'needs either a url or a command' });
      if (app.command !== '' && app.external) broken.push({ path: [...path, 'external'], rule: 'is for apps with a url' });
    }
    for (const [at, script] of resource.agent.scripts.entries()) {
      const path = ['resources', index, 'agent', 'scripts', at];
      if (!script.run_on_start && !script.run_on_stop && script.cron === '') {
        broken.push({ path, rule: 'never runs: set run_on_start, run_on_stop or cron' });
      }
      if (script.start_blocks_login && !script.run_on_start) {
        broken.push({ path: [...path, 'start_blocks_login'], rule: 'needs run_on_start: true' });
      }
      if (script.cron !== '' && !/^(?:[0-9A-Za-z*/,-]+ ){4}[0-9A-Za-z*/,-]+$/.test(script.cron)) {
        broken.push({ path: [...path, 'cron'], rule: 'must be five fields, such as "0 9 * * 1-5"' });
      }
    }
  }
  return broken;
}

/** Every text in which values are filled in, with its place. Must name the same fields as `resources.ts` fills in. */
function* filledTexts(yaml: BerthYaml): Generator<{ path: Path; text: string }> {
  for (const [index, resource] of yaml.resources.entries()) {
    const path = ['resources', index];
    for (const [at, item] of resource.metadata.entries()) yield { path: [...path, 'metadata', at, 'value'], text: String(item.value) };
    const { agent } = resource;
    yield { path: [...path, 'agent', 'directory'], text: agent.directory };
    for (const [name, value] of Object.entries(agent.env)) yield { path: [...path, 'agent', 'env', name], text: String(value) };
    for (const [at, app] of agent.apps.entries()) {
      yield { path: [...path, 'agent', 'apps', at, 'url'], text: app.url };
      yield { path: [...path, 'agent', 'apps', at, 'healthcheck', 'url'], text: app.healthcheck?.url ?? '' };
    }
  }
}

function checkExpressions(yaml: BerthYaml): BrokenRule[] {
  const defined = new Set<string>([
    ...KNOWN_REFERENCES,
    ...yaml.parameters.map((parameter) => `parameters.${parameter.name}`),
    ...yaml.variables.map((variable) => `variables.${variable.name}`),
  ]);
  return [...filledTexts(yaml)].flatMap(({ path, text }) => {
    const fault = findFault(text, (reference) => defined.has(reference));
    return fault === undefined ? [] : [{ path, rule: fault }];
  });
}
