import { NIL_UUID } from '@berth/core';
import type { BuildJob, ProvisionedAgent, ProvisionedApp, ProvisionedResource } from '@berth/protocol';
import { arch, platform } from 'node:os';
import type { NamedValue } from '../../driver.ts';
import type { AgentFormat, AppFormat } from './format-agent.ts';
import type { BerthYaml } from './format.ts';
import { interpolate } from './interpolate.ts';
import type { KnownReference, Scope } from './interpolate.ts';
import { parameterEnvironmentName, toRichParameters, toVariables } from './parameters.ts';
import type { BrokenRule, Path } from './read-template.ts';

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', arm: 'armv7' };

/** The values of a build. Parameters that are not asked for have their default. */
export function buildScope(yaml: BerthYaml, job: BuildJob): Scope {
  const { workspace, organization, template } = job;
  return scopeOf(yaml, {
    parameters: job.rich_parameter_values,
    variables: job.variable_values,
    known: {
      'workspace.id': workspace.id,
      'workspace.name': workspace.name,
      'owner.id': workspace.owner.id,
      'owner.username': workspace.owner.username,
      'owner.email': workspace.owner.email,
      'owner.name': workspace.owner.name,
      'organization.id': organization.id,
      'organization.name': organization.name,
      'template.id': template.id,
      'template.name': template.name,
      'template.version': template.version_name,
      'server.access_url': job.access_url,
    },
  });
}

/** The values of an import, where there is no workspace yet: defaults and examples. */
export function importScope(yaml: BerthYaml, variableValues: readonly NamedValue[]): Scope {
  const known: Record<KnownReference, string> = {
    'workspace.id': NIL_UUID,
    'workspace.name': 'workspace',
    'owner.id': NIL_UUID,
    'owner.username': 'owner',
    'owner.email': 'owner@example.com',
    'owner.name': 'Owner',
    'organization.id': NIL_UUID,
    'organization.name': 'organization',
    'template.id': NIL_UUID,
    'template.name': 'template',
    'template.version': 'version',
    'server.access_url': 'http://localhost',
  };
  return scopeOf(yaml, { parameters: [], variables: variableValues, known });
}

function scopeOf(
  yaml: BerthYaml,
  given: { parameters: readonly NamedValue[]; variables: readonly NamedValue[]; known: Record<KnownReference, string> },
): Scope {
  const scope = new Map<string, string>(Object.entries(given.known));
  for (const variable of toVariables(yaml, given.variables)) scope.set(`variables.${variable.name}`, variable.value);
  for (const parameter of toRichParameters(yaml)) {
    const value = given.parameters.find((candidate) => candidate.name === parameter.name)?.value;
    scope.set(`parameters.${parameter.name}`, value ?? parameter.default_value);
  }
  return scope;
}

/** The tags that the template gives its builds, with the values of the scope. */
export function toTags(yaml: BerthYaml, scope: Scope): { tags: Record<string, string>; broken: BrokenRule[] } {
  const broken: BrokenRule[] = [];
  const tags = Object.entries(yaml.tags).map(([tag, text]) => [
    tag,
    bounded(interpolate(text, scope), { max: 256, path: ['tags', tag], broken }),
  ]);
  return { tags: Object.fromEntries(tags), broken };
}

/**
 * How scripts get the parameters. Not part of an agent's `environment`, in which `$NAME` is replaced: a value stays exactly as it
 * was given.
 */
export function parameterEnvironment(yaml: BerthYaml, scope: Scope): Record<string, string> {
  return Object.fromEntries(yaml.parameters.map(({ name }) => [parameterEnvironmentName(name), scope.get(`parameters.${name}`) ?? '']));
}

/** The resources with every value filled in, and what is wrong with them once it is. */
export function toResources(yaml: BerthYaml, scope: Scope): { resources: ProvisionedResource[]; broken: BrokenRule[] } {
  const broken: BrokenRule[] = [];
  const resources = yaml.resources.map((resource, index): ProvisionedResource => {
    const path = ['resources', index];
    return {
      name: resource.name,
      type: resource.type,
      icon: resource.icon,
      hide: resource.hide,
      daily_cost: resource.daily_cost,
      metadata: resource.metadata.map((item, at) => ({
        key: item.key,
        value: bounded(interpolate(String(item.value), scope), { max: 2048, path: [...path, 'metadata', at, 'value'], broken }),
        sensitive: item.sensitive,
      })),
      agents: resource.agent === undefined ? [] : [toAgent({ agent: resource.agent, scope, path: [...path, 'agent'], broken })],
    };
  });
  return { resources, broken };
}

interface AgentInput {
  readonly agent: AgentFormat;
  readonly scope: Scope;
  readonly path: Path;
  readonly broken: BrokenRule[];
}

function toAgent({ agent, scope, path, broken }: AgentInput): ProvisionedAgent {
  const fill = (text: string, at: Path, max: number) => bounded(interpolate(text, scope), { max, path: [...path, ...at], broken });
  const environment = Object.entries(agent.env).map(([name, value]) => [name, fill(String(value), ['env', name], 32 * 1024)]);
  return {
    name: agent.name,
    operating_system: platform(),
    architecture: ARCHITECTURES[arch()] ?? arch(),
    directory: fill(agent.directory, ['directory'], 1024),
    environment: Object.fromEntries(environment),
    connection_timeout_seconds: agent.connection_timeout,
    troubleshooting_url: agent.troubleshooting_url,
    motd_file: agent.motd_file,
    display_apps: [...new Set(agent.display_apps)],
    order: agent.order,
    instance_id: '',
    apps: agent.apps.map((app, at) => toApp({ app, scope, path: [...path, 'apps', at], broken })),
    scripts: agent.scripts,
    metadata: agent.metadata.map((item, at) => ({
      key: item.key,
      display_name: item.display_name,
      script: item.script,
      interval: item.interval,
      timeout: item.timeout,
      order: item.order ?? at,
    })),
  };
}

function toApp({ app, scope, path, broken }: { app: AppFormat; scope: Scope; path: Path; broken: BrokenRule[] }): ProvisionedApp {
  const url = bounded(interpolate(app.url, scope), { max: 2048, path: [...path, 'url'], broken });
  if (url !== '' && !app.external && !isInside(url)) {
    broken.push({
      path: [...path, 'url'],
      rule: `must be http://localhost:PORT/… inside the workspace, or external: it is ${JSON.stringify(url.slice(0, 200))}`,
    });
  }
  if (url !== '' && app.external && !URL.canParse(url)) broken.push({ path: [...path, 'url'], rule: 'must be an address' });
  const check = bounded(interpolate(app.healthcheck?.url ?? '', scope), { max: 2048, path: [...path, 'healthcheck', 'url'], broken });
  if (check !== '' && !isInside(check)) {
    broken.push({ path: [...path, 'healthcheck', 'url'], rule: 'must be http://localhost:PORT/… inside the workspace' });
  }
  return {
    slug: app.slug,
    display_name: app.display_name,
    icon: app.icon,
    command: app.command,
    url,
    external: app.external,
    subdomain: app.subdomain,
    hidden: app.hidden,
    order: app.order,
    sharing_level: app.share,
    healthcheck: {
      url: check,
      interval: check === '' ? 0 : (app.healthcheck?.interval ?? 0),
      threshold: check === '' ? 0 : (app.healthcheck?.threshold ?? 0),
    },
  };
}

/** An app is proxied into the workspace only, so its address may not lead anywhere else. */
function isInside(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) &&
    url.username === ''
  );
}

/** `text` if it fits, else nothing and a broken rule. */
export function bounded(text: string, { max, path, broken }: { max: number; path: Path; broken: BrokenRule[] }): string {
  if (text.length <= max && !text.includes('\0')) return text;
  broken.push({ path, rule: `with its values filled in it must have ${max} characters at most` });
  return '';
}
