import { DisplayApp } from '@berth/protocol';
import type { ProvisionedAgent, ProvisionedApp, ProvisionedScript } from '@berth/protocol';
import { z } from 'zod';
import { DriverError } from '../../driver.ts';
import { nearest } from './graph.ts';
import type { DependencyGraph } from './graph.ts';
import { flag, list, managed, text, textMap, whole } from './show.ts';
import type { TerraformInstance } from './show.ts';

const AgentValues = z.object({
  id: text(),
  token: text(),
  auth: text(),
  os: text(),
  arch: text(),
  dir: text(),
  env: textMap(),
  startup_script: text(),
  startup_script_behavior: text(),
  /** Of templates from before there was a behaviour. */
  login_before_ready: flag(true),
  startup_script_timeout: whole(),
  shutdown_script: text(),
  shutdown_script_timeout: whole(),
  connection_timeout: whole(120),
  troubleshooting_url: text(),
  motd_file: text(),
  order: whole(),
  metadata: list(z.object({ key: text(), display_name: text(), script: text(), interval: whole(), timeout: whole(), order: whole() })),
  display_apps: list(z.record(z.string(), z.boolean().nullable())),
});

const AppValues = z.object({
  slug: text(),
  display_name: text(),
  /** How older templates call the display name. */
  name: text(),
  icon: text(),
  command: text(),
  url: text(),
  external: flag(),
  subdomain: flag(),
  hidden: flag(),
  order: whole(),
  share: z.enum(['owner', 'authenticated', 'public']).nullish(),
  healthcheck: list(z.object({ url: text(), interval: whole(), threshold: whole() })),
});

const ScriptValues = z.object({
  display_name: text(),
  icon: text(),
  script: text(),
  cron: text(),
  run_on_start: flag(),
  run_on_stop: flag(),
  start_blocks_login: flag(),
  timeout: whole(),
  log_path: text(),
});

/** An agent with all that belongs to it, and where the graph has it. */
export interface FoundAgent {
  readonly instance: TerraformInstance;
  readonly agent: ProvisionedAgent;
}

/**
 * The agents of a plan or a state with their apps, scripts and variables. `warn` hears of what belongs to no agent. Rejects with a
 * `DriverError` when two agents have one name or two apps one slug.
 */
export function toAgents(instances: readonly TerraformInstance[], graph: DependencyGraph, warn: (sentence: string) => void): FoundAgent[] {
  const found = managed(instances, 'coder_agent').map((instance) => ({ instance, values: AgentValues.parse(instance.values) }));
  refuseTwins(
    'agents are named',
    found.map(({ instance }) => ({ key: instance.name, address: instance.address })),
  );
  const agents = found.map(({ instance, values }) => ({ instance, values, agent: toAgent(instance, values) }));

  const owner = (part: TerraformInstance) => {
    const id = part.values['agent_id'];
    const byId = typeof id === 'string' && id !== '' ? agents.find(({ values }) => values.id === id) : undefined;
    // Before an agent is made nobody knows its id, but the graph knows who asks for it.
    const byGraph = () => {
      const label = nearest(part.label, {
        next: graph.dependenciesOf,
        isWanted: (address) => agents.some(({ instance }) => instance.label === address),
      });
      return agents.find(({ instance }) => instance.label === label);
    };
    const owned = byId ?? byGraph();
    if (owned === undefined) warn(`${part.address} belongs to no agent, so it is left out`);
    return owned?.agent;
  };

  const apps = managed(instances, 'coder_app').map((instance) => ({ instance, app: toApp(instance) }));
  refuseTwins(
    'apps have the slug',
    apps.map(({ instance, app }) => ({ key: app.slug, address: instance.address })),
  );
  for (const { instance, app } of apps) owner(instance)?.apps.push(app);
  for (const instance of managed(instances, 'coder_script')) owner(instance)?.scripts.push(ScriptValues.parse(instance.values));
  for (const instance of managed(instances, 'coder_env')) {
    const { name, value } = z.object({ name: text(), value: text() }).parse(instance.values);
    const environment = owner(instance)?.environment;
    // What the agent says itself stands over what is added to it.
    if (environment !== undefined && !Object.hasOwn(environment, name)) environment[name] = value;
  }
  for (const instance of managed(instances, 'coder_agent_instance')) {
    const { instance_id: instanceId } = z.object({ instance_id: text() }).parse(instance.values);
    const agent = owner(instance);
    if (agent !== undefined) agent.instance_id = instanceId;
  }
  for (const { agent } of agents) agent.apps.sort((one, other) => one.order - other.order);
  return agents;
}

type Writable = { -readonly [Key in keyof ProvisionedAgent]: ProvisionedAgent[Key] };

function toAgent(instance: TerraformInstance, values: z.output<typeof AgentValues>): Writable {
  const hasToken = (values.auth === '' || values.auth === 'token') && values.token !== '';
  return {
    name: instance.name,
    operating_system: values.os,
    architecture: values.arch,
    directory: values.dir,
    environment: { ...values.env },
    connection_timeout_seconds: Math.max(0, values.connection_timeout),
    troubleshooting_url: values.troubleshooting_url,
    motd_file: values.motd_file,
    display_apps: toDisplayApps(values.display_apps[0] ?? {}),
    order: values.order,
    instance_id: '',
    ...(hasToken ? { token: values.token } : {}),
    apps: [],
    scripts: toOwnScripts(values),
    metadata: values.metadata,
  };
}

/** Everything but the insiders' edition, unless the template says otherwise. */
function toDisplayApps(said: Readonly<Record<string, boolean | null>>): ProvisionedAgent['display_apps'] {
  return DisplayApp.options.filter((name) => said[name] ?? name !== 'vscode_insiders');
}

/** The scripts that are attributes of the agent. */
function toOwnScripts(values: z.output<typeof AgentValues>): ProvisionedScript[] {
  const common = { icon: '', cron: '', run_on_start: false, run_on_stop: false, start_blocks_login: false };
  const scripts: ProvisionedScript[] = [];
  if (values.startup_script !== '') {
    scripts.push({
      ...common,
      display_name: 'Startup Script',
      script: values.startup_script,
      run_on_start: true,
      start_blocks_login: values.startup_script_behavior === 'blocking' || !values.login_before_ready,
      timeout: values.startup_script_timeout,
      log_path: 'coder-startup-script.log',
    });
  }
  if (values.shutdown_script !== '') {
    scripts.push({
      ...common,
      display_name: 'Shutdown Script',
      script: values.shutdown_script,
      run_on_stop: true,
      timeout: values.shutdown_script_timeout,
      log_path: 'coder-shutdown-script.log',
    });
  }
  return scripts;
}

function toApp(instance: TerraformInstance): ProvisionedApp {
  const values = AppValues.parse(instance.values);
  const slug = values.slug === '' ? instance.name : values.slug;
  const [check] = values.healthcheck;
  return {
    slug,
    display_name: [values.display_name, values.name, slug].find((name) => name !== '') ?? slug,
    icon: values.icon,
    command: values.command,
    url: values.url,
    external: values.external,
    subdomain: values.subdomain,
    hidden: values.hidden,
    order: values.order,
    sharing_level: values.share ?? 'owner',
    healthcheck: check ?? { url: '', interval: 0, threshold: 0 },
  };
}

function refuseTwins(what: string, all: readonly { key: string; address: string }[]): void {
  for (const [index, { key, address }] of all.entries()) {
    const twin = all.slice(0, index).find((other) => other.key === key);
    if (twin !== undefined) {
      throw new DriverError(`Two ${what} ${JSON.stringify(key)}: ${twin.address} and ${address}. It must be unique in a template.`);
    }
  }
}
