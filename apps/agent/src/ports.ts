import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';

import { AGENT_LIMITS } from '@berth/protocol/agent';
import type { ListeningPort } from '@berth/protocol/agent';

const CACHE_MS = 1000;
const PORT_MIN = 9;
const LISTEN = '0A';

/** One listening socket of `/proc/net/tcp` or `tcp6`. */
export interface ListeningSocket {
  readonly port: number;
  readonly inode: string;
}

/** Reads a table of the kernel: only what listens, and only on addresses that are reached by way of the loopback. */
export function parseSockets(table: string): ListeningSocket[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      const [address = '', hexPort = ''] = local.split(':');
      const port = Number.parseInt(hexPort, 16);
      return state === LISTEN && port >= PORT_MIN && isLoopbackOrAny(address) ? [{ port, inode }] : [];
    });
}

/** Addresses are written in words of the machine's byte order: 127.0.0.1 is `0100007F`. */
function isLoopbackOrAny(address: string): boolean {
  if (/^0+$/.test(address)) return true;
  if (address.length === 8) return address.endsWith('7F');
  return address === '00000000000000000000000001000000' || (address.startsWith('0000000000000000FFFF0000') && address.endsWith('7F'));
}

/**
 * The TCP ports on which processes of this workspace listen: those of processes that the agent may see, without its own. Empty where there
 * is no `/proc`. Cached for a second.
 */
export function listeningPorts(): () => Promise<readonly ListeningPort[]> {
  let cached: Promise<readonly ListeningPort[]> | undefined;
  let readAt = 0;
  return () => {
    if (cached === undefined || performance.now() - readAt > CACHE_MS) {
      readAt = performance.now();
      cached = readPorts();
    }
    return cached;
  };
}

/** The command line of the process that listens on a port, its words apart by zero bytes; empty when that cannot be seen. */
export async function commandLineAt(port: number): Promise<string> {
  const sockets = (await readSockets()).filter((socket) => socket.port === port);
  const [pid] = (await holders(new Set(sockets.map(({ inode }) => inode)))).values();
  return pid === undefined ? '' : await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

async function readSockets(): Promise<ListeningSocket[]> {
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')));
  return tables.flatMap(parseSockets);
}

async function readPorts(): Promise<readonly ListeningPort[]> {
  const sockets = await readSockets();
  const pids = await holders(new Set(sockets.map(({ inode }) => inode)));
  const names = new Map(await Promise.all([...pids].map(async ([inode, pid]) => [inode, await processName(pid)] as const)));
  const ports = new Map<number, ListeningPort>();
  for (const { port, inode } of sockets) {
    const name = names.get(inode);
    if (name !== undefined) ports.set(port, { port, network: 'tcp', process_name: name });
  }
  return [...ports.values()].sort((a, b) => a.port - b.port).slice(0, AGENT_LIMITS.listeningPortsMax);
}

/** Which process holds which socket. Processes of other users are skipped: their files cannot be read. */
async function holders(inodes: ReadonlySet<string>): Promise<Map<string, string>> {
  const holding = new Map<string, string>();
  if (inodes.size === 0) return holding;
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  await Promise.all(
    pids.map(async (pid) => {
      const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
      for (const descriptor of descriptors) {
        const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
        const [, inode] = /^socket:\[(\d+)\]$/.exec(target) ?? [];
        if (inode !== undefined && inodes.has(inode)) holding.set(inode, pid);
      }
    }),
  );
  return holding;
}

/** The program's own name; Node and others rename their first thread, so the command line says it better. */
async function processName(pid: string): Promise<string> {
  const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  const name = path.basename(program) || (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
  return name.slice(0, 256);
}
