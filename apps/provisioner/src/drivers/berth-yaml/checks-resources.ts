import type { AgentFormat } from './format-agent.ts';
import type { ContainerFormat } from './format-resources.ts';
import type { BerthYaml } from './format.ts';
import type { BrokenRule, Path } from './read-template.ts';
import { twins } from './twins.ts';

/** The rules within and between resources. */
export function checkResources(yaml: BerthYaml): BrokenRule[] {
  const [first] = yaml.resources;
  const agents = yaml.resources.map((resource) => resource.agent);
  return [
    ...twins(yaml.resources, { path: ['resources'], key: 'name', of: (item) => item.name.toLowerCase() }),
    ...checkAgentNames(agents),
    ...yaml.resources.flatMap((resource, index): BrokenRule[] => {
      const path = ['resources', index];
      return [
        ...(resource.type === first?.type
          ? []
          : [
              {
                path: [...path, 'type'],
                rule: `must be ${first?.type} like that of resources[0]: one template makes either processes or containers`,
              },
            ]),
        ...(resource.type === 'process' && first?.type === 'process' && resource.persistent_home !== first.persistent_home
          ? [{ path: [...path, 'persistent_home'], rule: 'must be the same for all resources: the home is one' }]
          : []),
        ...twins(resource.metadata, { path: [...path, 'metadata'], key: 'key', of: (item) => item.key }),
        ...(resource.agent === undefined ? [] : checkAgent(resource.agent, [...path, 'agent'])),
      ];
    }),
    ...checkContainers(yaml),
  ];
}

function checkAgentNames(agents: readonly (AgentFormat | undefined)[]): BrokenRule[] {
  const names = agents.map((agent) => agent?.name.toLowerCase());
  return agents.flatMap((agent, index) =>
    agent !== undefined && names.indexOf(agent.name.toLowerCase()) < index
      ? [
          {
            path: ['resources', index, 'agent', 'name'],
            rule: `the agent name ${agent.name} is taken: each agent of a workspace needs its own`,
          },
        ]
      : [],
  );
}

function checkAgent(agent: AgentFormat, path: Path): BrokenRule[] {
  const broken: BrokenRule[] = [
    ...twins(agent.apps, { path: [...path, 'apps'], key: 'slug', of: (item) => item.slug }),
    ...twins(agent.metadata, { path: [...path, 'metadata'], key: 'key', of: (item) => item.key }),
  ];
  for (const [at, app] of agent.apps.entries()) {
    const here = [...path, 'apps', at];
    if ((app.url === '') === (app.command === '')) broken.push({ path: here, rule: 'needs either a url or a command' });
    if (app.command !== '' && app.external) broken.push({ path: [...here, 'external'], rule: 'is for apps with a url' });
  }
  for (const [at, script] of agent.scripts.entries()) {
    const here = [...path, 'scripts', at];
    if (!script.run_on_start && !script.run_on_stop && script.cron === '') {
      broken.push({ path: here, rule: 'never runs: set run_on_start, run_on_stop or cron' });
    }
    if (script.start_blocks_login && !script.run_on_start) {
      broken.push({ path: [...here, 'start_blocks_login'], rule: 'needs run_on_start: true' });
    }
    if (script.cron !== '' && !/^(?:[0-9A-Za-z*/,-]+ ){4}[0-9A-Za-z*/,-]+$/.test(script.cron)) {
      broken.push({ path: [...here, 'cron'], rule: 'must be five fields, such as "0 9 * * 1-5"' });
    }
  }
  return broken;
}

/** What Docker, the kernel and the agent have for themselves in a container. */
const TAKEN = ['/berth', '/dev', '/proc', '/sys'];

/** Of a workspace: each is a resource of its own for the server, which takes only so many. */
const VOLUMES = 32;

function checkContainers(yaml: BerthYaml): BrokenRule[] {
  const containers = yaml.resources.flatMap((resource, index) => (resource.type === 'container' ? [{ container: resource, index }] : []));
  if (containers.length === 0) return [];
  const broken = containers.flatMap(({ container, index }) => checkContainer(container, ['resources', index]));
  if (yaml.resources.every((resource) => resource.agent === undefined)) {
    broken.push({ path: ['resources'], rule: 'none of them has an agent, so nobody could reach the workspace' });
  }
  const keeps = new Map<string, boolean>();
  for (const { container, index } of containers) {
    for (const [at, volume] of container.volumes.entries()) {
      const other = keeps.get(volume.name);
      if (other !== undefined && other !== volume.persistent) {
        broken.push({
          path: ['resources', index, 'volumes', at, 'persistent'],
          rule: `must be the same wherever the volume ${volume.name} is used`,
        });
      }
      keeps.set(volume.name, volume.persistent);
    }
  }
  if (keeps.size > VOLUMES) broken.push({ path: ['resources'], rule: `have ${keeps.size} volumes together, and may have ${VOLUMES}` });
  return broken;
}

function checkContainer(container: ContainerFormat, path: Path): BrokenRule[] {
  const broken = twins(container.volumes, { path: [...path, 'volumes'], key: 'path', of: (item) => item.path });
  for (const [at, { path: folder }] of container.volumes.entries()) {
    const taken = TAKEN.find((root) => folder === root || folder.startsWith(`${root}/`));
    if (taken !== undefined) broken.push({ path: [...path, 'volumes', at, 'path'], rule: `must not be in ${taken}` });
  }
  if (container.agent === undefined) return broken;
  if (container.command !== undefined) {
    broken.push({
      path: [...path, 'command'],
      rule: 'is for resources without an agent: what this one runs is the agent. Use a script with run_on_start',
    });
  }
  if (container.network === 'none') {
    broken.push({ path: [...path, 'network'], rule: 'must not be none for a resource with an agent, which could not reach the server' });
  }
  return broken;
}
