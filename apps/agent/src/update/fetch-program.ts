import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';

import { agentArchitecture, agentBundleName } from '@berth/protocol/agent';
import { extract } from 'tar-stream';

import { ComeBackLater } from './come-back-later.ts';

const FETCH_TIMEOUT_MS = 15 * 60_000;
const CHECK_TIMEOUT_MS = 60_000;
const EXPANDED_MAX_BYTES = 512 * 1024 * 1024;
const ENTRIES_MAX = 1000;
const NAME = /^(?:node|agent\/[\w@.+-]+(?:\/[\w@.+-]+)*)$/;

const FOLDER = /^agent-v\d/;

/** A version of the agent with its Node.js, ready to run. */
export interface Program {
  readonly node: string;
  readonly agent: string;
}

export interface FetchOptions {
  /** Where the server is. */
  readonly url: string;
  /** What the program must say that it is. */
  readonly version: string;
  /** Folders in which it may be put, the best one first. */
  readonly parents: readonly string[];
  /** To run it once with. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Fetches the agent of another version and makes sure that it runs here. What is left behind is the whole program or nothing. */
export async function fetchProgram(options: FetchOptions): Promise<Program> {
  const { url, version, parents, signal } = options;
  const parent = await firstOwn(parents);
  const folder = path.join(parent, `agent-${version}`);
  const there = programIn(folder);
  if (await runs(there, options).catch(() => false)) return there;
  const draft = path.join(parent, `new-${randomUUID()}`);
  await mkdir(draft, { mode: 0o700 });
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
    await unpack(await download(bundleUrl(url), limit), draft, limit);
    const fetched = programIn(draft);
    if (!(await runs(fetched, options))) throw new Error(`What the server hands out is not version ${version}.`);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
    return there;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Where versions of the agent may be put, for a program that lies at `agent`: beside it, or in `folder`, which is this process's own. */
export function updateParents(agent: string, folder: string | undefined): string[] {
  return [familyOf(agent), ...(folder === undefined ? [] : [folder])];
}

/** Removes earlier versions beside the running one, unless something runs from them. */
export async function removeEarlierPrograms(agent: string): Promise<void> {
  const family = familyOf(agent);
  const own = path.basename(path.dirname(path.dirname(agent)));
  if (!FOLDER.test(own)) return;
  const inUse = await runningPrograms();
  for (const name of await readdir(family)) {
    const folder = path.join(family, name);
    if (name === own || !FOLDER.test(name) || inUse.some((file) => file.startsWith(`${folder}/`))) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/** The folder in which all versions lie, also when `agent` came by an update. */
function familyOf(agent: string): string {
  const folder = path.dirname(path.dirname(path.resolve(agent)));
  return FOLDER.test(path.basename(folder)) ? path.dirname(folder) : folder;
}

async function runningPrograms(): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  return await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/exe`).catch(() => '')));
}

function programIn(folder: string): Program {
  return { node: path.join(folder, 'node'), agent: path.join(folder, 'agent', 'agent.mjs') };
}

function bundleUrl(url: string): string {
  const architecture = process.platform === 'linux' ? agentArchitecture(process.arch) : undefined;
  if (architecture === undefined) throw new Error(`There is no agent for ${process.platform} on ${process.arch}.`);
  return `${url.replace(/\/+$/, '')}/bin/${agentBundleName(architecture)}`;
}

/** Nobody else may write there: what lies in it is run. */
async function firstOwn(parents: readonly string[]): Promise<string> {
  for (const parent of parents) {
    const info = await stat(parent).catch(() => undefined);
    if (info === undefined || info.uid !== process.getuid?.() || (info.mode & 0o002) !== 0) continue;
    const isWritable = await access(parent, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (isWritable) return parent;
  }
  throw new Error('There is no folder of its own in which the agent may put a new version.');
}

/** `node:http` rather than `fetch`: it follows no redirects, and an agent that stays as it is keeps less of it in memory. */
async function download(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { get } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return await new Promise((resolve, reject) => {
    const request = get(url, { signal }, (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      if (response.statusCode !== 503 && response.statusCode !== 429) {
        return reject(new Error(`${url} answered ${response.statusCode}.`));
      }
      const seconds = Number(response.headers['retry-after']);
      reject(new ComeBackLater(seconds >= 1 && seconds <= 3600 ? Math.round(seconds) : 60));
    });
    request.on('error', reject);
  });
}

async function unpack(response: IncomingMessage, folder: string, signal: AbortSignal): Promise<void> {
  const archive = extract();
  const reading = pipeline(response, createGunzip(), archive, { signal });
  reading.catch(() => undefined);
  let bytes = 0;
  let entries = 0;
  for await (const entry of archive) {
    const { name, type, size, mode } = entry.header;
    entries += 1;
    bytes += size;
    if (entries > ENTRIES_MAX || bytes > EXPANDED_MAX_BYTES) throw new Error('The archive of the agent is too large.');
    if (type === 'directory') {
      entry.resume();
      continue;
    }
    if (type !== 'file' || !NAME.test(name) || name.split('/').some((part) => /^\.+$/.test(part))) {
      throw new Error(`The archive of the agent has an entry that does not belong there: ${name.slice(0, 100)}`);
    }
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(entry, createWriteStream(file, { mode: (mode & 0o100) === 0 ? 0o600 : 0o700, flags: 'wx' }), { signal });
  }
  await reading;
}

/** Whether it runs here and is what it should be. */
async function runs({ node, agent }: Program, { version, environment }: Pick<FetchOptions, 'version' | 'environment'>): Promise<boolean> {
  const { stdout } = await promisify(execFile)(node, [agent, '--version'], {
    timeout: CHECK_TIMEOUT_MS,
    env: { ...environment },
  });
  return stdout.trim() === version;
}
