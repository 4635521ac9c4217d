import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { errorOf } from '@berth/client';

import type { Log } from './log.ts';
import type { Session } from './session.ts';

/** Longer than the server lets us wait for an account to be linked. */
const LISTEN_TIMEOUT_MS = 60_000;

export interface GitCredentials {
  /** What leads git to the helpers, for every command of the workspace. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Leaves the helpers to a later version of the agent, which answers them. */
  leave(): void;
  /** Removes the helpers. */
  close(): Promise<void>;
}

export interface GitCredentialsOptions {
  readonly session: Pick<Session, 'deliver'>;
  /** What runs `git-helper.ts` in a process of its own: the program and its first arguments. */
  readonly command: readonly string[];
  readonly log: Log;
  /** The helpers of an earlier version of this agent, of which programs in the workspace know. */
  readonly folder?: string | undefined;
}

/**
 * Hands the owner's tokens and SSH key to git: a folder that only this user can enter, with two programs for git to start and a socket on
 * which they ask this process. So the agent's own token stays in this process. Whoever may run programs in the workspace may ask.
 */
export async function serveGitCredentials(options: GitCredentialsOptions): Promise<GitCredentials> {
  const { session, command, log } = options;
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'berth-git-')));
  const socket = path.join(folder, 'agent.sock');
  const server = http.createServer((request, response) => {
    answer(session, new URL(request.url ?? '/', 'http://agent.invalid')).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => {
        const { kind } = errorOf(error);
        if (kind !== 'not_found') log('warn', 'Git got no credentials', error);
        response.writeHead(kind === 'not_found' ? 404 : 502).end();
      },
    );
  });
  await rm(socket, { force: true });
  server.listen(socket);
  await once(server, 'listening');
  const helper = async (name: string, mode: string): Promise<string> => {
    const file = path.join(folder, name);
    const line = [...command, mode, socket].map(quoted).join(' ');
    await writeFile(file, `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o700 });
    return file;
  };
  // Git knows the options of a program that is called ssh.
  const [askpass, ssh] = await Promise.all([helper('git-askpass', 'git-askpass'), helper('ssh', 'git-ssh')]);
  return {
    environment: { GIT_ASKPASS: askpass, GIT_SSH_COMMAND: quoted(ssh) },
    folder,
    leave: () => {
      server.closeAllConnections();
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One word of a shell line. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

async function answer(session: Pick<Session, 'deliver'>, { pathname, searchParams }: URL): Promise<object> {
  if (pathname === '/ssh-key') return session.deliver((api, signal) => api.gitSshKey.query({}, { signal }));
  const match = searchParams.get('match') ?? '';
  const listen = searchParams.has('listen');
  return session.deliver((api, signal) =>
    api.externalAuth.query({ match, listen }, { signal: listen ? AbortSignal.timeout(LISTEN_TIMEOUT_MS) : signal }),
  );
}
