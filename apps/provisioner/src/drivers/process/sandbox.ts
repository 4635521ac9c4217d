import type { SandboxKind, SandboxReport } from '@berth/protocol';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open, readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { findChild, identifyProcess } from './processes.ts';
import type { ProcessIdentity } from './processes.ts';
import type { UidRange, WorkspaceFolders } from './workspace-store.ts';

/** How a kind of sandbox is made on this host. */
export interface SandboxMode {
  readonly kind: SandboxKind;
  /** Namespaces of its own: paths inside differ from those outside. */
  readonly isolated: boolean;
  /** The system users for workspaces; undefined: they run as the daemon's user. */
  readonly uids: UidRange | undefined;
}

export interface Sandbox {
  readonly mode: SandboxMode;
  readonly report: SandboxReport;
  readonly dataDir: string;
  /** Real paths inside the system's folders that no workspace may see. */
  readonly hidden: readonly string[];
  readonly agentDir: string;
  readonly nodeBinary: string;
}

export interface LaunchInput {
  readonly folders: WorkspaceFolders;
  /** The workspace's home as its processes see it. */
  readonly home: string;
  readonly hostname: string;
  readonly logFile: string;
  readonly command: readonly string[];
  readonly signal?: AbortSignal;
}

/** A sandbox that stands and waits: nothing of the workspace runs in it before `enter`. */
export interface Launched {
  readonly outer: ProcessIdentity;
  readonly init: ProcessIdentity;
  /** Starts the command with exactly this environment. Until then the sandbox ends by itself when this process dies. */
  enter(environment: Readonly<Record<string, string>>): Promise<void>;
  /** Lets this process end while the sandbox goes on. */
  detach(): void;
  /** The exit status; null when a signal ended it. Only meaningful while this process lives. */
  readonly exited: Promise<number | null>;
}

const NAMESPACES = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];
/** The first process of every workspace. */
export const INIT = join(import.meta.dirname, 'agent-init.sh');
const READY_MS = 15_000;
/** What the bound system consists of: see agent-init.sh. */
const SYSTEM_FOLDERS = ['/usr', '/etc', '/opt', '/nix', '/snap', '/var/lib/ca-certificates', '/bin', '/sbin', '/lib', '/lib64'];

/** The argument vector before the init script, and the init script's own mode. */
function vector(mode: SandboxMode, uid: number | undefined): { prefix: string[]; initMode: 'root' | 'user' | 'plain' } {
  switch (mode.kind) {
    case 'uid_namespace':
      return { prefix: ['unshare', ...NAMESPACES, '--'], initMode: 'root' };
    case 'user_namespace': {
      const drop = uid === undefined ? [] : ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--'];
      return { prefix: [...drop, 'unshare', '--user', '--map-root-user', ...NAMESPACES, '--'], initMode: 'user' };
    }
    case 'uid':
    case 'none':
      return { prefix: [], initMode: 'plain' };
  }
}

/** The paths of `candidates` that the sandbox would show, since they lie inside a folder of the system. */
export async function visibleHiddenPaths(candidates: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => undefined);
    if (real !== undefined && SYSTEM_FOLDERS.some((folder) => real.startsWith(folder + sep))) found.add(real);
  }
  return [...found];
}

/**
 * Builds a sandbox up to the point where its command would start. Rejects with what the host said when that fails, and
 * leaves nothing behind then. A launch that is never entered ends when this process ends.
 */
export async function launch(sandbox: Sandbox, input: LaunchInput): Promise<Launched> {
  const { mode } = sandbox;
  const { uid } = input.folders;
  const { prefix, initMode } = vector(mode, uid);
  const inner = String(uid ?? 1000);
  const [file = '/bin/sh', ...args] = [
    ...prefix,
    '/bin/sh',
    INIT,
    initMode,
    input.hostname,
    join(sandbox.dataDir, 'root'),
    input.folders.home,
    input.home,
    input.folders.tmp,
    sandbox.nodeBinary,
    sandbox.agentDir,
    input.folders.etc,
    inner,
    inner,
    ...sandbox.hidden,
    '--',
    ...input.command,
  ];
  const log = await open(input.logFile, 'w', 0o600);
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      // The first process gets no variable of ours and none of the workspace's: it may be root.
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
      cwd: '/',
      detached: true,
      stdio: ['pipe', log.fd, log.fd, 'pipe'],
      ...(mode.kind === 'uid' && uid !== undefined ? { uid, gid: uid } : {}),
    });
  } finally {
    await log.close();
  }
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(127));
  });
  // Writing to a sandbox that just died must not bring the daemon down; `exited` tells of it.
  child.stdin?.on('error', () => {});
  try {
    await ready(child, exited, input);
    const pid = child.pid ?? 0;
    const outer = await identifyProcess(pid);
    const initPid = mode.isolated ? await findChild(pid) : pid;
    const init = initPid === undefined ? undefined : await identifyProcess(initPid);
    if (outer === undefined || init === undefined) throw new Error('the sandbox ended at once');
    return {
      outer,
      init,
      exited,
      enter: (environment) => enter(child, environment),
      detach: () => child.unref(),
    };
  } catch (error) {
    child.kill('SIGKILL');
    const said = (await readFile(input.logFile, 'utf8').catch(() => '')).trim().slice(-2000);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(said === '' ? reason : `${reason}: ${said}`, { cause: error });
  }
}

async function ready(child: ChildProcess, exited: Promise<number | null>, input: LaunchInput): Promise<void> {
  const pipe = child.stdio[3] as Readable;
  const word = new Promise<void>((resolve) => {
    let text = '';
    pipe.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('ready\n')) resolve();
    });
    pipe.on('error', () => {});
  });
  const limit = AbortSignal.any([AbortSignal.timeout(READY_MS), ...(input.signal === undefined ? [] : [input.signal])]);
  const aborted = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(input.signal?.aborted ? new Error('stopped') : new Error(`the sandbox did not stand after ${READY_MS / 1000} s`));
    if (limit.aborted) fail();
    limit.addEventListener('abort', fail, { once: true });
  });
  const ended = exited.then((code) => {
    throw new Error(
      code === 127 ? `${child.spawnfile} could not be started` : `the sandbox could not be made (status ${code ?? 'signal'})`,
    );
  });
  try {
    await Promise.race([word, ended, aborted]);
  } finally {
    ended.catch(() => {});
    aborted.catch(() => {});
    pipe.destroy();
  }
}

async function enter(child: ChildProcess, environment: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`);
  await new Promise<void>((resolve) => {
    const pipe = child.stdin;
    if (pipe === null) return resolve();
    pipe.once('close', resolve);
    pipe.end(`go\n${lines.join('')}`);
  });
}
