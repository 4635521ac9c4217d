import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProvisionedResource } from '@berth/protocol';
import type { BuildJob } from '@berth/protocol';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { buildJob } from '../../testing/jobs.ts';
import { testContext, testTerraform, withoutProvider } from '../../testing/terraform.ts';
import { parseGraph } from './graph.ts';
import { toExternalAuth, toParameters, toWorkspaceTags } from './parameters.ts';
import { toResources } from './resources.ts';
import { readPlan, readState } from './show.ts';

/** Each runs a real Terraform a dozen times, and shares its processors with other tests. */
vi.setConfig({ testTimeout: 120_000 });

const FIXTURES = join(import.meta.dirname, '../../testing/fixtures/terraform');
const TEMPLATE = join(FIXTURES, 'template');
const recorded = (name: string) => readFile(join(FIXTURES, 'recorded', name), 'utf8');
const LABELS = ['zone', 'cpus', 'disk', 'project', 'once', 'list'];

/** What Terraform said of the template once; `npm run record:terraform` in this package asks it again. */
async function fromRecordings(transition: 'start' | 'stop') {
  const instances = readPlan(await recorded(`${transition}-plan.json`));
  const graph = parseGraph(await recorded(`${transition}-graph.dot`));
  const warnings: string[] = [];
  return { instances, graph, warnings, resources: toResources(instances, graph, (sentence) => warnings.push(sentence)) };
}

describe('a template for the coder provider, as recorded', () => {
  it('has its parameters in their order, with every rule', async () => {
    const { instances } = await fromRecordings('start');
    const parameters = toParameters(instances, LABELS);
    expect(parameters.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['cpus', 'number', false],
      ['disk', 'number', false],
      ['project', 'string', true],
      ['once', 'bool', false],
      ['list', 'list(string)', false],
      ['zone', 'string', false],
    ]);
    const [cpus, disk, project, once, list, zone] = parameters;
    expect(cpus).toMatchObject({
      display_name: 'CPUs',
      description: 'How **many**',
      description_plaintext: 'How many',
      default_value: '2',
      validation_min: 1,
      validation_max: 8,
      validation_monotonic: 'increasing',
    });
    expect(disk).toMatchObject({ validation_min: 1, validation_max: null, validation_error: 'at least {min}' });
    expect(project).toMatchObject({ validation_regex: '^[a-z]+$', validation_error: 'lower case', default_value: '' });
    expect(once).toMatchObject({ ephemeral: true, mutable: true, default_value: 'false' });
    expect(list).toMatchObject({ default_value: '["a","b"]', mutable: false });
    expect(zone?.options).toEqual([
      { name: 'A', value: 'a', description: '', icon: '/a.svg' },
      { name: 'B', value: 'b', description: 'bee', icon: '' },
    ]);
    expect(parameters.map((parameter) => parameter.display_order)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('asks for links and tags', async () => {
    const { instances } = await fromRecordings('start');
    expect(toExternalAuth(instances)).toEqual([{ id: 'github', optional: true }]);
    expect(toWorkspaceTags(instances)).toEqual({ region: 'eu', zone: 'a' });
  });

  it('has agents in what needs them, with what belongs to them, and warns of what is left out', async () => {
    const { resources, warnings } = await fromRecordings('start');
    expect(resources.map(({ type, name, agents }) => [type, name, agents.map((agent) => agent.name)])).toEqual([
      ['terraform_data', 'aside', ['side']],
      ['terraform_data', 'aside', []],
      ['terraform_data', 'home', []],
      ['terraform_data', 'vm', ['dev']],
      ['terraform_data', 'in', []],
    ]);
    expect(warnings).toEqual([expect.stringContaining('coder_agent.lost runs in no resource')]);
    const vm = resources[3];
    expect(vm).toMatchObject({
      daily_cost: 7,
      icon: '/icon/vm.svg',
      hide: false,
      metadata: [
        { key: 'image', value: 'debian', sensitive: false },
        { key: 'password', value: 'p', sensitive: true },
      ],
    });
    const dev = vm?.agents[0];
    expect(dev).toMatchObject({
      operating_system: 'linux',
      architecture: 'amd64',
      directory: '/home/dev',
      environment: { GIT_AUTHOR: 'default', EXTRA: '1' },
      connection_timeout_seconds: 120,
      display_apps: ['vscode_insiders', 'web_terminal', 'port_forwarding_helper', 'ssh_helper'],
      metadata: [{ key: 'cpu', display_name: 'CPU', script: 'uptime', interval: 10, timeout: 1, order: 0 }],
    });
    expect(dev).not.toHaveProperty('token');
    expect(dev?.apps.map(({ slug, display_name, sharing_level, subdomain }) => [slug, display_name, sharing_level, subdomain])).toEqual([
      ['ide', 'ide', 'owner', false],
      ['web', 'Web', 'authenticated', true],
    ]);
    expect(dev?.scripts.map((script) => [script.display_name, script.run_on_start, script.run_on_stop, script.start_blocks_login])).toEqual(
      [
        ['Startup Script', true, false, true],
        ['Shutdown Script', false, true, false],
        ['IDE', true, false, true],
      ],
    );
    expect(resources[0]?.agents[0]?.scripts).toEqual([
      expect.objectContaining({ display_name: 'Nightly', cron: '0 0 3 * * *', timeout: 60 }),
    ]);
  });

  it('has, once it is stopped, what stays', async () => {
    const { resources } = await fromRecordings('stop');
    expect(resources.map(({ name, agents }) => [name, agents.length])).toEqual([
      ['aside', 1],
      ['aside', 0],
      ['home', 0],
      ['in', 0],
    ]);
  });

  it('has the tokens of its agents once it is made', async () => {
    const { graph } = await fromRecordings('start');
    const resources = toResources(readState(await recorded('start-state.json')), graph, () => {});
    const agents = resources.flatMap((resource) => resource.agents);
    expect(agents.map(({ name, token }) => [name, token?.length])).toEqual([
      // This one says who it is by its machine.
      ['side', undefined],
      ['dev', 36],
    ]);
    for (const resource of resources) expect(ProvisionedResource.parse(resource)).toEqual(resource);
  });
});

describe.skipIf(withoutProvider !== '')(`a template for the coder provider${withoutProvider}`, async () => {
  const terraform = await (withoutProvider === '' ? testTerraform() : Promise.reject(new Error(withoutProvider))).catch(() => undefined);
  afterAll(() => terraform?.remove());
  const real = () => {
    if (terraform === undefined) throw new Error(withoutProvider);
    return terraform;
  };
  const variable_values = [{ name: 'secret', value: 'unguessable-hunter2' }];

  const job = (overrides: Partial<BuildJob> = {}) =>
    buildJob({
      provisioner: 'terraform',
      variable_values,
      rich_parameter_values: [
        { name: 'project', value: 'example' },
        { name: 'zone', value: 'b' },
      ],
      access_url: 'https://berth.example.com',
      external_auth: [{ id: 'github', access_token: 'gho_token-of-github' }],
      ...overrides,
    });

  async function build(given: BuildJob, folder?: string) {
    const context = testContext();
    const source = async () => folder ?? (await real().template(TEMPLATE));
    const plan = await real().driver.plan({ job: given, source }, context);
    return { planned: plan.resources, lines: context.lines, ...(await plan.apply([], context)) };
  }

  it('is imported just as it was recorded', async () => {
    const context = testContext();
    const parsed = await real().driver.parse({ directory: await real().template(TEMPLATE), variableValues: variable_values }, context);
    const { instances, resources } = await fromRecordings('start');
    expect(parsed.parameters).toEqual(toParameters(instances, LABELS));
    expect(parsed.startResources).toEqual(resources);
    expect(parsed.stopResources).toEqual((await fromRecordings('stop')).resources);
    expect(parsed.externalAuthProviders).toEqual([{ id: 'github', optional: true }]);
    expect(parsed.workspaceTags).toEqual({ region: 'eu', zone: 'a' });
    expect(parsed.readme).toBe('# A template as people write them\n');
    expect(parsed.variables).toEqual([
      { name: 'region', description: 'Where', type: 'string', value: 'eu', default_value: 'eu', required: false, sensitive: false },
      { name: 'secret', description: '', type: 'string', value: 'unguessable-hunter2', default_value: '', required: true, sensitive: true },
    ]);
    expect(context.lines.map(([, line]) => line).join('\n')).not.toContain('hunter2');
  });

  it('runs through a workspace’s life: the agents come with tokens, which no log tells', async () => {
    const start = job();
    const started = await build(start);
    const tokens = started.resources?.flatMap((resource) => resource.agents).flatMap((agent) => agent.token ?? []) ?? [];
    expect(tokens).toHaveLength(1);
    const vm = started.resources?.find(({ name }) => name === 'vm');
    expect(vm).toMatchObject({ daily_cost: 7, agents: [expect.objectContaining({ environment: { GIT_AUTHOR: 'Alice', EXTRA: '1' } })] });

    const state = Buffer.from(started.state).toString('base64');
    const again = await build({ ...start, state });
    const tokensOf = (resources: readonly ProvisionedResource[] = []) =>
      resources.flatMap(({ agents }) => agents.flatMap(({ token }) => token ?? []));
    // The provider makes a new one for each build; of an agent that there is already, the plan knows it.
    expect(tokensOf(again.planned)).toEqual(tokensOf(again.resources));
    tokens.push(...tokensOf(again.planned));

    const stopped = await build({ ...start, transition: 'stop', state });
    expect(stopped.resources?.map(({ name }) => name)).toEqual(['aside', 'aside', 'home', 'in']);
    const deleted = await build({ ...start, transition: 'delete', state: Buffer.from(stopped.state).toString('base64') });
    expect(deleted.state).toHaveLength(0);
    const said = [started, again, stopped, deleted].flatMap(({ lines }) => lines.map(([, line]) => line)).join('\n');
    for (const secret of [...tokens, 'hunter2', 'gho_token']) expect(said).not.toContain(secret);
  });

  it('learns of the workspace, its owner and the build, and the agent’s script leads to this server', async () => {
    const main = `
      terraform {
        required_providers {
          coder = { source = "coder/coder" }
        }
      }
      data "coder_workspace" "me" {}
      data "coder_workspace_owner" "me" {}
      data "coder_external_auth" "github" { id = "github" }
      data "coder_parameter" "zone" { name = "zone" }
      resource "coder_agent" "main" {
        os   = "linux"
        arch = "arm64"
      }
      locals {
        facts = {
          workspace = data.coder_workspace.me
          owner     = data.coder_workspace_owner.me
          link      = data.coder_external_auth.github.access_token
          zone      = data.coder_parameter.zone.value
          script    = coder_agent.main.init_script
          token     = coder_agent.main.token
        }
      }
      resource "terraform_data" "vm" { input = local.facts }
    `;
    const given = job();
    const { owner } = given.workspace;
    const rich = {
      ...given,
      workspace: {
        ...given.workspace,
        owner: {
          ...owner,
          groups: ['a', 'b'],
          session_token: 'session-token',
          ssh_public_key: 'ssh-ed25519 AAA',
          ssh_private_key: 'PRIVATE',
        },
      },
    };
    const { resources, state } = await build(rich, await real().template({ 'main.tf': main }));
    const text = Buffer.from(state).toString();
    const all = JSON.parse(text) as { resources: { type: string; instances: { attributes: { output?: { value: Facts } } }[] }[] };
    interface Facts {
      readonly workspace: Record<string, unknown>;
      readonly owner: Record<string, unknown>;
      readonly link: string;
      readonly zone: string;
      readonly script: string;
      readonly token: string;
    }
    const facts = all.resources.find(({ type }) => type === 'terraform_data')?.instances[0]?.attributes.output?.value;
    expect(facts?.workspace).toMatchObject({
      id: given.workspace.id,
      name: 'dev',
      transition: 'start',
      start_count: 1,
      access_url: 'https://berth.example.com',
      template_id: given.template.id,
      template_name: 'shell',
      template_version: 'v1',
    });
    expect(facts?.owner).toMatchObject({
      id: owner.id,
      name: 'alice',
      full_name: 'Alice',
      email: 'alice@example.com',
      groups: ['a', 'b'],
      session_token: 'session-token',
      ssh_public_key: 'ssh-ed25519 AAA',
      ssh_private_key: 'PRIVATE',
      login_type: 'password',
    });
    expect(facts).toMatchObject({ link: 'gho_token-of-github', zone: 'b' });
    expect(facts?.script).toMatch(/^#!\/bin\/sh/);
    expect(facts?.script).toContain('https://berth.example.com/');
    expect(facts?.script).not.toMatch(/\$\{(?:ACCESS_URL|ARCH|AUTH_TYPE)\}/);
    expect(resources?.[0]?.agents).toEqual([expect.objectContaining({ name: 'main', token: facts?.token })]);
  });

  it('is built by several at once on one cache of providers', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => build(job())));
    const tokens = made.flatMap(({ resources }) => resources?.flatMap(({ agents }) => agents.flatMap(({ token }) => token ?? [])) ?? []);
    expect(new Set(tokens).size).toBe(4);
    const cache = join(real().dataDir, 'plugins/registry.terraform.io/coder/coder');
    expect(existsSync(cache)).toBe(true);
    expect(await readdir(cache)).toHaveLength(1);
  });
});
