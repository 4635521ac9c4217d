import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { installRuntime } from './agent-runtime.ts';
import { launch, visibleHiddenPaths } from './sandbox.ts';
import type { Sandbox, SandboxMode } from './sandbox.ts';
import { waitForExit } from './processes.ts';
import { WorkspaceStore } from './workspace-store.ts';

export interface SandboxOptions {
  readonly dataDir: string;
  readonly agentDir: string;
  readonly nodeBinary: string;
  /** Paths that must stay out of sight; those that a sandbox would not show anyway cost nothing. */
  readonly hiddenPaths: readonly string[];
  /** For tests: only these kinds are tried. */
  readonly only?: readonly SandboxMode['kind'][];
}

/** Users for workspaces: far above people and services; or, in a container with 65,536 of them, at the upper end. */
const UID_RANGES = [
  { first: 1_900_000_000, count: 60_000 },
  { first: 61_184, count: 4_000 },
] as const;

/** Fails unless inside: not root, the data folder out of reach, home and /tmp writable, node runs. */
const PROBE = `
  [ "$(id -u)" != 0 ] || { echo "still root inside"; exit 1; }
  [ ! -e "$1/probe" ] || { echo "the data folder is in sight"; exit 1; }
  : >"$HOME/written" && : >"$2/written" && : >/dev/null && exec "$3" -e ""
`;
const PROBE_UID = `
  [ "$(id -u)" != 0 ] || { echo "still root inside"; exit 1; }
  [ ! -r "$1/work" ] || { echo "the data folder is in sight"; exit 1; }
  : >"$HOME/written" && : >"$2/written" && exec "$3" -e ""
`;
const PROBE_MS = 10_000;

/**
 * Finds the strongest sandbox that this host really allows, by making one of each kind, strongest first, and looking
 * around inside. Rejects without a built agent, but never for want of a sandbox: `none` always works, and its report says what that means.
 */
export async function chooseSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir } = options;
  await mkdir(dataDir, { recursive: true });
  const agentDir = await installRuntime({ agentDir: options.agentDir, dataDir });
  const isRoot = process.getuid?.() === 0;
  await mkdir(join(dataDir, 'root'), { recursive: true });
  await mkdir(join(dataDir, 'workspaces'), { recursive: true });
  await mkdir(join(dataDir, 'work'), { recursive: true, mode: 0o700 });
  // A workspace's own user has to pass through these on the way to its home; none of them can be listed by it.
  for (const folder of [dataDir, join(dataDir, 'workspaces'), join(dataDir, 'root')]) await chmod(folder, isRoot ? 0o711 : 0o700);

  const hidden = await visibleHiddenPaths(options.hiddenPaths);
  const refusals: string[] = [];
  for (const mode of candidates(isRoot)) {
    if (options.only !== undefined && !options.only.includes(mode.kind)) continue;
    const sandbox = { mode, hidden, dataDir, agentDir, nodeBinary: options.nodeBinary };
    const refusal = await tryMode({ ...sandbox, report: { kind: mode.kind, detail: '' } });
    if (refusal === undefined) return { ...sandbox, report: { kind: mode.kind, detail: describe(mode.kind, refusals) } };
    refusals.push(`${mode.kind}: ${refusal}`);
  }
  const mode: SandboxMode = { kind: 'none', isolated: false, uids: undefined };
  return {
    mode,
    hidden: [],
    dataDir,
    agentDir,
    nodeBinary: options.nodeBinary,
    report: { kind: 'none', detail: describe('none', refusals) },
  };
}

function candidates(isRoot: boolean): SandboxMode[] {
  if (process.platform !== 'linux') return [];
  if (!isRoot) return [{ kind: 'user_namespace', isolated: true, uids: undefined }];
  return [
    ...UID_RANGES.map((uids) => ({ kind: 'uid_namespace', isolated: true, uids }) as const),
    ...UID_RANGES.map((uids) => ({ kind: 'user_namespace', isolated: true, uids }) as const),
    ...UID_RANGES.map((uids) => ({ kind: 'uid', isolated: false, uids }) as const),
  ];
}

/** Undefined when the mode works, else why not, in one line. */
async function tryMode(sandbox: Sandbox): Promise<string | undefined> {
  const { dataDir, mode } = sandbox;
  const probeDir = join(dataDir, 'probe');
  const id = randomUUID();
  const store = new WorkspaceStore({ dataDir: probeDir, uids: mode.uids });
  try {
    if (mode.uids !== undefined && mode.kind !== 'uid_namespace') await requireReachable([dataDir, sandbox.agentDir, sandbox.nodeBinary]);
    await mkdir(probeDir, { recursive: true });
    const folders = await store.prepare(id, { name: 'probe', home: '/home/probe', shell: '/bin/sh' });
    for (const folder of [probeDir, dirname(store.folder(id))]) await chmod(folder, 0o711);
    const home = mode.isolated ? '/home/probe' : folders.home;
    const tmp = mode.isolated ? '/tmp' : folders.tmp;
    const node = mode.isolated ? '/berth/bin/node' : sandbox.nodeBinary;
    const check = mode.isolated ? PROBE : PROBE_UID;
    const logFile = join(store.folder(id), 'probe.log');
    const command = ['/bin/sh', '-c', check, 'sh', dataDir, tmp, node];
    const launched = await launch(sandbox, { folders, home, hostname: 'probe', logFile, command });
    await launched.enter({ HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin' });
    if (!(await waitForExit(launched.init, PROBE_MS))) return `the probe did not end in ${PROBE_MS / 1000} s`;
    const status = await launched.exited;
    return status === 0 ? undefined : `the probe ended with ${status ?? 'a signal'}`;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 300);
  } finally {
    await rm(probeDir, { recursive: true, force: true }).catch(() => {});
  }
}

/** Another user has to get through every folder on the way. */
async function requireReachable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
      if (((await stat(folder)).mode & 0o001) === 0) throw new Error(`no other user may enter ${folder}`);
    }
  }
}

function describe(kind: SandboxMode['kind'], refusals: readonly string[]): string {
  const why = refusals.length === 0 ? '' : ` Stronger ways did not work here: ${refusals.join('; ')}.`;
  const detail = () => {
    switch (kind) {
      case 'uid_namespace':
        return 'Each workspace is a system user of its own in namespaces of its own: it sees the system read-only, its home, its /tmp and its own processes. The network is shared with the host.';
      case 'user_namespace':
        return 'Each workspace has namespaces of its own: it sees the system read-only, its home, its /tmp and its own processes. The network is shared with the host.';
      case 'uid':
        return `Each workspace is a system user of its own: it cannot read the server's data, but sees the host's public files, processes and network.${why}`;
      case 'none':
        return `Workspaces run as the server's own user and can read all that the server can, its data included. Let only people publish templates and create workspaces whom you would give a shell on this host.${why}`;
    }
  };
  return detail().slice(0, 1000);
}
