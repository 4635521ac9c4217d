import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ssh2 from 'ssh2';

/** A host of git repositories over HTTP and SSH, which lets in one token and one key. Its only repository is `garden.git`. */
export interface GitHost {
  readonly httpUrl: string;
  readonly sshUrl: string;
  /** Where the repository lies. */
  readonly repository: string;
  /** Lets this public key in, in the format of `authorized_keys`. */
  allowKey(publicKey: string): void;
  close(): Promise<void>;
}

const run = promisify(execFile);

export async function startGitHost({ token }: { readonly token: string }): Promise<GitHost> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-git-host-'));
  const repository = join(folder, 'garden.git');
  await run('git', ['init', '-q', '--bare', '-b', 'main', repository]);
  await run('git', ['-C', repository, 'config', 'http.receivepack', 'true']);
  const { stdout: programs } = await run('git', ['--exec-path']);
  const http = createServer((request, response) =>
    serveHttp(request, response, { folder, token, backend: join(programs.trim(), 'git-http-backend') }),
  );
  http.listen(0, '127.0.0.1');
  let allowed: string | undefined;
  const { private: hostKey } = ssh2.utils.generateKeyPairSync('ed25519');
  const ssh = new ssh2.Server({ hostKeys: [hostKey] }, (connection) => {
    connection.on('error', () => undefined);
    connection.on('authentication', (context) => {
      const isKnown = context.method === 'publickey' && context.key.data.toString('base64') === allowed;
      if (!isKnown) return context.reject(['publickey']);
      const { signature, blob } = context;
      if (signature === undefined || blob === undefined) return context.accept();
      const key = ssh2.utils.parseKey(`${context.key.algo} ${allowed}`);
      if (!(key instanceof Error) && key.verify(blob, signature, context.hashAlgo) === true) context.accept();
      else context.reject();
    });
    connection.on('session', (accept) => {
      accept().on('exec', (acceptExec, reject, { command }) => {
        const [, service] = /^git-(upload-pack|receive-pack) '?\/?garden\.git'?$/.exec(command) ?? [];
        if (service === undefined) return reject();
        const channel = acceptExec();
        const child = spawn('git', [service, repository]);
        channel.pipe(child.stdin);
        child.stdout.pipe(channel, { end: false });
        child.stderr.pipe(channel.stderr, { end: false });
        child.once('close', (code) => {
          channel.exit(code ?? 1);
          channel.end();
        });
      });
    });
  });
  ssh.listen(0, '127.0.0.1');
  await Promise.all([once(http, 'listening'), once(ssh, 'listening')]);
  return {
    httpUrl: `http://127.0.0.1:${portOf(http.address())}/garden.git`,
    sshUrl: `ssh://git@127.0.0.1:${portOf(ssh.address())}/garden.git`,
    repository,
    allowKey: (publicKey) => {
      allowed = publicKey.split(' ')[1];
    },
    close: async () => {
      closeAll(http);
      ssh.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function closeAll(server: HttpServer): void {
  server.closeAllConnections();
  server.close();
}

/** Git's own program for HTTP behind a password that is the token. */
function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, token, backend }: { folder: string; token: string; backend: string },
): void {
  const [, given = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  const [user, password] = Buffer.from(given, 'base64').toString().split(':');
  if (user !== token && password !== token) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return;
  }
  const { pathname, search } = new URL(request.url ?? '/', 'http://git.invalid');
  const child = spawn(backend, {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'ada',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.once('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    const head = answer
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': '));
    const headers = Object.fromEntries(head.map(([name = '', value = '']) => [name.toLowerCase(), value]));
    const { status = '200', ...others } = headers;
    response.writeHead(Number.parseInt(status, 10), others).end(answer.subarray(end + 4));
  });
}
