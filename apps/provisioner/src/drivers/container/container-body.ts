import { accessFrom } from './access.ts';
import { AGENT_FOLDER, START_FILE } from './agent-archive.ts';
import type { ContainerSpec } from './container-spec.ts';
import type { ContainerBody } from './engine-shapes.ts';
import { containerLabels, volumeLabels, volumeName } from './labels.ts';
import type { WorkspaceNames } from './labels.ts';

export interface BodyInput {
  readonly workspace: WorkspaceNames;
  readonly container: ContainerSpec;
  /** The workspace's own network, if it has one and the container is in it. */
  readonly sharedNetwork: string | undefined;
  readonly accessUrl: string;
  /** What every container of the workspace finds in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the container's agent; absent: it has none. */
  readonly agentToken: string | undefined;
  /** Whether the agent is put into the container. */
  readonly bringsAgent: boolean;
}

/** What to ask the engine for. */
export function containerBody(input: BodyInput): ContainerBody {
  const { workspace, container, sharedNetwork } = input;
  const network = sharedNetwork ?? container.network;
  const access = accessFrom(container.network, input.accessUrl);
  const hasAgent = input.agentToken !== undefined;
  return {
    Image: container.image,
    ...(hasAgent ? agentCommand(container) : imageCommand(container)),
    Env: Object.entries(environmentOf(input, access.url)).map(([name, value]) => `${name}=${value}`),
    ...(container.workingDir === '' ? {} : { WorkingDir: container.workingDir }),
    ...(container.user === '' ? {} : { User: container.user }),
    ...(network === 'host' ? {} : { Hostname: hostname(hasAgent ? workspace.name : container.resource) }),
    // Agents run their stop scripts on it; what else is in an image has its own way to end.
    ...(hasAgent ? { StopSignal: 'SIGTERM' } : {}),
    Labels: containerLabels(workspace, container.resource),
    HostConfig: {
      Privileged: false,
      ...(network === '' ? {} : { NetworkMode: network }),
      ExtraHosts: [...container.extraHosts, ...(hasAgent ? access.extraHosts : [])],
      ...(container.nanoCpus === 0 ? {} : { NanoCpus: container.nanoCpus }),
      ...(container.memoryBytes === 0 ? {} : { Memory: container.memoryBytes }),
      // Changed as soon as it is up: one that cannot start shall not be tried for ever.
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '2' } },
      Mounts: container.volumes.map(({ name, path, persistent, readOnly }) => ({
        Type: 'volume',
        Source: volumeName(workspace.id, name),
        Target: path,
        ReadOnly: readOnly,
        VolumeOptions: { Labels: volumeLabels(workspace, name, persistent) },
      })),
    },
    ...(sharedNetwork === undefined
      ? {}
      : { NetworkingConfig: { EndpointsConfig: { [sharedNetwork]: { Aliases: [container.resource] } } } }),
  };
}

function agentCommand({ entrypoint }: ContainerSpec): Pick<ContainerBody, 'Entrypoint' | 'Cmd'> {
  const start = ['/bin/sh', START_FILE];
  return entrypoint === undefined ? { Entrypoint: start, Cmd: [] } : { Entrypoint: entrypoint, Cmd: start };
}

function imageCommand({ entrypoint, command }: ContainerSpec): Pick<ContainerBody, 'Entrypoint' | 'Cmd'> {
  return { ...(entrypoint === undefined ? {} : { Entrypoint: entrypoint }), ...(command === undefined ? {} : { Cmd: command }) };
}

function environmentOf(input: BodyInput, url: string): Record<string, string> {
  const common = { ...input.container.env, ...input.environment, BERTH_WORKSPACE_ID: input.workspace.id };
  if (input.agentToken === undefined) return common;
  return {
    ...common,
    BERTH_AGENT_URL: url,
    BERTH_AGENT_TOKEN: input.agentToken,
    ...(input.bringsAgent ? { BERTH_AGENT_DIR: AGENT_FOLDER } : {}),
  };
}

function hostname(name: string): string {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(name) ? name : 'workspace';
}
