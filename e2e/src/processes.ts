import { readFile, readdir, readlink } from 'node:fs/promises';

/** A process of this machine, as far as this account may look at it. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** As it was when the process started: `NAME=value` lines. */
  readonly environment: string;
  readonly folder: string;
}

/** Every process but this one; none where there is no /proc. */
export async function listProcesses(): Promise<SeenProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).map(Number);
  return (await Promise.all(pids.map(look))).flat();
}

async function look(pid: number): Promise<SeenProcess[]> {
  const [stat, command, environment, folder] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  // The name before the state may hold spaces and brackets.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return [];
  return [{ pid, parent: Number(parent), command: text(command), environment: text(environment, '\n'), folder }];
}

const text = (raw: string, separator = ' '): string => raw.replaceAll('\0', separator).trim();

/** Those that have `word` (a folder, an id) in their command line, their environment or the name of their folder. */
export async function processesNaming(word: string): Promise<SeenProcess[]> {
  const all = await listProcesses();
  return all.filter((seen) => [seen.command, seen.environment, seen.folder].some((fact) => fact.includes(word)));
}

/** The agents that run for a workspace. */
export async function agentsOf(workspaceId: string): Promise<SeenProcess[]> {
  const all = await listProcesses();
  return all.filter(
    ({ command, environment }) => command.includes('agent.mjs') && environment.split('\n').includes(`BERTH_WORKSPACE_ID=${workspaceId}`),
  );
}
