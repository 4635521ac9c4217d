import { describe, expect, it } from 'vitest';
import { parseGraph, withoutIndexes } from './graph.ts';
import { toExternalAuth, toParameters, toWorkspaceTags } from './parameters.ts';
import { toResources } from './resources.ts';
import type { TerraformInstance } from './show.ts';

/** One thing of a plan by its address; `data.` at its front makes a data source. */
function thing(address: string, values: Record<string, unknown> = {}): TerraformInstance {
  const mode = /(?:^|\.)data\.[^.]+\.[^.]+$/.test(withoutIndexes(address)) ? 'data' : 'managed';
  const [type = '', name = ''] = withoutIndexes(address).split('.').slice(-2);
  const index = /\[(?:(\d+)|"([^"]*)")\]$/.exec(address);
  const at = index === null ? {} : { index: index[1] === undefined ? (index[2] ?? '') : Number(index[1]) };
  return { address, mode, type, name, values, label: withoutIndexes(address), ...at };
}

function map(instances: TerraformInstance[], edges: [string, string][] = []) {
  const warnings: string[] = [];
  const graph = parseGraph(edges.map(([from, to]) => `"[root] ${from} (expand)" -> "[root] ${to} (expand)"`).join('\n'));
  const resources = toResources(instances, graph, (sentence) => warnings.push(sentence));
  return { resources, warnings, agents: resources.map(({ name, agents }) => `${name}: ${agents.map((agent) => agent.name).join(', ')}`) };
}

describe('an agent', () => {
  it('runs in the nearest thing that needs it, over variables, locals and the provider’s own words', () => {
    const { agents } = map(
      [thing('coder_agent.a'), thing('x_vm.near'), thing('x_vm.far'), thing('module.m.x_vm.inner')],
      [
        ['local.script', 'coder_agent.a'],
        ['module.m.var.script', 'local.script'],
        ['module.m.x_vm.inner', 'module.m.var.script'],
        ['x_vm.far', 'x_vm.near'],
        ['x_vm.near', 'local.script'],
      ],
    );
    expect(agents).toEqual(['near: a', 'far: ', 'inner: ']);
  });

  it('is left out where the thing that it runs in is not there, with a word about it', () => {
    const { agents, warnings } = map(
      [thing('coder_agent.a'), thing('x_dns.name')],
      [
        ['x_vm.off', 'coder_agent.a'],
        ['x_dns.name', 'x_vm.off'],
      ],
    );
    expect(agents).toEqual(['name: ']);
    expect(warnings).toEqual(['coder_agent.a runs in no resource, since none needs it, so it is left out']);
  });

  it('runs in the first of several that are alike', () => {
    const { agents } = map([thing('coder_agent.a[0]'), thing('x_vm.m[0]'), thing('x_vm.m[1]')], [['x_vm.m', 'coder_agent.a']]);
    expect(agents).toEqual(['m: a', 'm: ']);
  });

  it('shares its name with no other, wherever that one is', () => {
    const edges: [string, string][] = [['x_vm.m', 'coder_agent.a']];
    for (const other of ['module.m.coder_agent.a', 'module.m["k"].coder_agent.a', 'coder_agent.a[1]']) {
      expect(() => map([thing('coder_agent.a[0]'), thing(other), thing('x_vm.m')], edges)).toThrow(
        `Two agents are named "a": coder_agent.a[0] and ${other}. It must be unique in a template.`,
      );
    }
  });

  it('says who it is by its machine, where it has no token', () => {
    const aws = { auth: 'aws-instance-identity', token: '5c0ef848-f766-4edb-ac4c-866cdc552bc0' };
    const edges: [string, string][] = [['aws_instance.m', 'coder_agent.a']];
    const found = map([thing('coder_agent.a', aws), thing('aws_instance.m', { id: 'i-1' })], edges).resources[0]?.agents[0];
    expect(found).toMatchObject({ instance_id: 'i-1' });
    expect(found).not.toHaveProperty('token');
    const said = map(
      [
        thing('coder_agent.a', { ...aws, id: 'A' }),
        thing('aws_instance.m', { id: 'i-1' }),
        thing('coder_agent_instance.i', { agent_id: 'A', instance_id: 'i-2' }),
      ],
      edges,
    );
    expect(said.resources[0]?.agents[0]?.instance_id).toBe('i-2');
  });

  it('understands how older templates said things', () => {
    const old = { startup_script: 'x', login_before_ready: false, startup_script_timeout: 300 };
    const { resources } = map(
      [thing('coder_agent.a', old), thing('x_vm.m'), thing('coder_app.code', { name: 'Code', relative_path: true })],
      [
        ['x_vm.m', 'coder_agent.a'],
        ['coder_app.code', 'coder_agent.a'],
      ],
    );
    expect(resources[0]?.agents[0]).toMatchObject({
      scripts: [{ start_blocks_login: true, timeout: 300 }],
      apps: [{ slug: 'code', display_name: 'Code' }],
      display_apps: ['vscode', 'web_terminal', 'port_forwarding_helper', 'ssh_helper'],
    });
  });
});

describe('what belongs to an agent', () => {
  const two = [thing('coder_agent.a', { id: 'A' }), thing('coder_agent.b', { id: 'B' }), thing('x_vm.m')];
  const edges: [string, string][] = [
    ['x_vm.m', 'coder_agent.a'],
    ['x_vm.m', 'coder_agent.b'],
  ];

  it('goes by the id of the agent as soon as there is one, whatever else it needs', () => {
    const app = thing('coder_app.x', { slug: 'x', agent_id: 'B' });
    const { resources } = map([...two, app], [...edges, ['coder_app.x', 'coder_agent.a']]);
    expect(resources[0]?.agents.map(({ apps }) => apps.length)).toEqual([0, 1]);
  });

  it('is left out with a word about it where there is no such agent', () => {
    const { resources, warnings } = map([...two, thing('coder_env.x', { agent_id: 'C', name: 'N', value: 'v' })], edges);
    expect(resources[0]?.agents.map(({ environment }) => environment)).toEqual([{}, {}]);
    expect(warnings).toEqual(['coder_env.x belongs to no agent, so it is left out']);
  });

  it('has a slug of its own among apps', () => {
    const apps = [thing('coder_app.x', { slug: 's', agent_id: 'A' }), thing('module.m.coder_app.y', { slug: 's', agent_id: 'B' })];
    expect(() => map([...two, ...apps], edges)).toThrow('Two apps have the slug "s": coder_app.x and module.m.coder_app.y.');
  });

  it('is refused by its address and rule where it is out of bounds', () => {
    expect(() => map([...two, thing('coder_app.x', { slug: 'A B', agent_id: 'A' })], edges)).toThrow(
      /^coder_agent\.a cannot be used: agents\.0\.apps\.0\.slug must be lower-case letters and digits/,
    );
  });
});

describe('what is said about a resource', () => {
  const metadata = (address: string, values: object = {}) => thing(address, { daily_cost: 3, item: [], ...values });

  it('is said about each of several, by their index or about all', () => {
    const vms = [thing('x_vm.m[0]'), thing('x_vm.m[1]')];
    const edges: [string, string][] = [['coder_metadata.c', 'x_vm.m']];
    const costs = (...said: TerraformInstance[]) => map([...vms, ...said], edges).resources.map((resource) => resource.daily_cost);
    expect(costs(metadata('coder_metadata.c[0]'), metadata('coder_metadata.c[1]', { daily_cost: 5 }))).toEqual([3, 5]);
    expect(costs(metadata('coder_metadata.c'))).toEqual([3, 3]);
    expect(costs()).toEqual([0, 0]);
  });

  it('goes by the id of the resource as soon as there is one', () => {
    const instances = [thing('x_vm.m', { id: '1' }), thing('x_vm.n', { id: '2' }), metadata('coder_metadata.c', { resource_id: '2' })];
    expect(map(instances, [['coder_metadata.c', 'x_vm.m']]).resources.map((resource) => resource.daily_cost)).toEqual([0, 3]);
  });

  it('is said once', () => {
    const instances = [thing('x_vm.m'), metadata('coder_metadata.c'), metadata('coder_metadata.d')];
    const edges: [string, string][] = [
      ['coder_metadata.c', 'x_vm.m'],
      ['coder_metadata.d', 'x_vm.m'],
    ];
    expect(() => map(instances, edges)).toThrow('coder_metadata.c and coder_metadata.d both describe x_vm.m.');
  });

  it('is left out with a word about it where there is nothing to say it about', () => {
    expect(map([metadata('coder_metadata.c')]).warnings).toEqual([
      'coder_metadata.c describes no resource that there is, so it is left out',
    ]);
  });
});

it('a name that could not stand in an address is mended', () => {
  expect(map([thing('x_vm._m-'), thing('x_vm.__')]).resources.map(({ name }) => name)).toEqual(['m', 'resource']);
});

describe('data sources', () => {
  it('of two parameters with one name are refused', () => {
    const twice = [thing('data.coder_parameter.a', { name: 'P' }), thing('module.m.data.coder_parameter.b', { name: 'P' })];
    expect(() => toParameters(twice, [])).toThrow(
      'Two parameters are named "P": data.coder_parameter.a and module.m.data.coder_parameter.b.',
    );
  });

  it('that break a rule of parameters are refused by their address', () => {
    expect(() => toParameters([thing('data.coder_parameter.a', { name: '' })], [])).toThrow(
      /^data\.coder_parameter\.a cannot be used: name/,
    );
  });

  it('ask once for a link that is needed twice', () => {
    const links = [
      thing('data.coder_external_auth.a', { id: 'github', optional: true }),
      thing('data.coder_git_auth.b', { id: 'github' }),
      thing('data.coder_external_auth.c', { id: 'gitlab', optional: true }),
    ];
    expect(toExternalAuth(links)).toEqual([
      { id: 'github', optional: false },
      { id: 'gitlab', optional: true },
    ]);
  });

  it('may give several sets of tags', () => {
    const tags = [
      thing('data.coder_workspace_tags.a', { tags: { x: '1' } }),
      thing('data.coder_workspace_tags.b', { tags: { y: '2', z: null } }),
    ];
    expect(toWorkspaceTags(tags)).toEqual({ x: '1', y: '2', z: '' });
    expect(toWorkspaceTags([])).toEqual({});
  });
});
