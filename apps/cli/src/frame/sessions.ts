import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { CliError, EXIT, usageError } from './errors.ts';
import type { Io } from './io.ts';

const Sessions = z.object({
  /** The server that is meant when none is named; empty for none. */
  current: z.string(),
  /** The token for each server. One is never sent to another server. */
  tokens: z.record(z.string(), z.string()),
});
type Sessions = z.output<typeof Sessions>;

/** Where Berth keeps what is a person's own: `BERTH_CONFIG_DIR`, else `berth` where the system keeps such folders. */
export function configFolder({ env }: Pick<Io, 'env'>): string {
  const own = env.BERTH_CONFIG_DIR ?? '';
  if (own !== '') return own;
  const base = env.XDG_CONFIG_HOME ?? '';
  return join(isAbsolute(base) ? base : join(env.HOME ?? homedir(), '.config'), 'berth');
}

/** The servers that a person is signed in to, in a file that only they may read. */
export class SessionStore {
  readonly path: string;

  constructor(io: Pick<Io, 'env'>) {
    this.path = join(configFolder(io), 'sessions.json');
  }

  currentUrl(): string {
    return this.#read().current;
  }

  tokenOf(url: string): string | undefined {
    const { tokens } = this.#read();
    return Object.hasOwn(tokens, url) ? tokens[url] : undefined;
  }

  keep(url: string, token: string): void {
    this.#write({ current: url, tokens: { ...this.#read().tokens, [url]: token } });
  }

  forget(url: string): void {
    const { current, tokens } = this.#read();
    this.#write({
      current: current === url ? '' : current,
      tokens: Object.fromEntries(Object.entries(tokens).filter(([known]) => known !== url)),
    });
  }

  #read(): Sessions {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch {
      return { current: '', tokens: {} };
    }
    try {
      return Sessions.parse(JSON.parse(text));
    } catch (cause) {
      throw new CliError(EXIT.failed, `${this.path} is not a valid sessions file.`, {
        cause,
        next: 'Delete it and sign in again with: berth login <url>',
      });
    }
  }

  /** In one step, so that a reader never sees half of it. */
  #write(sessions: Sessions): void {
    const folder = join(this.path, '..');
    const temporary = `${this.path}.${process.pid}`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, `${JSON.stringify(sessions, null, 2)}\n`, { mode: 0o600 });
      chmodSync(temporary, 0o600);
      renameSync(temporary, this.path);
    } catch (cause) {
      rmSync(temporary, { force: true });
      throw new CliError(EXIT.failed, `${this.path} cannot be written.`, { cause, next: 'To use another folder, set BERTH_CONFIG_DIR.' });
    }
  }
}

/** The server's address as it is kept: without a path's last slash, query or credentials. */
export function serverUrl(given: string): string {
  let url: URL;
  try {
    url = new URL(given.includes('://') ? given : `https://${given}`);
    if (!/^https?:$/.test(url.protocol)) throw new Error('not of the web');
  } catch {
    throw usageError(`"${given}" is not a server address.`, { next: 'For example: https://berth.example.com' });
  }
  if (url.username !== '' || url.password !== '') throw usageError('The server address must not contain credentials.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
