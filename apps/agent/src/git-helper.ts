import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** How long git waits for a person to link an account; the agent itself waits most of a minute each time. */
const LINK_WAIT_MS = 10 * 60_000;
const ASK_AGAIN_MS = 250;
/** An agent without a server answers late: then git goes on as if it had nothing. */
const ANSWER_TIMEOUT_MS = 70_000;
const CANNOT_HELP = 1;

/** What a program that git starts says and how it ends. */
export interface HelperOutput {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/**
 * Answers one question of git, `Username for 'https://host': ` or `Password for 'https://user@host': `, with the workspace owner's token. Without
 * a linked account it says where to link one and waits. Returns the exit code; 1 lets git ask the person as usual.
 */
export async function gitAskpass(socket: string, prompt: string, { stdout, stderr }: HelperOutput): Promise<number> {
  const asked = /^(Username|Password) for '([^']+)'/.exec(prompt);
  const url = URL.parse(asked?.[2] ?? '');
  if (asked === null || url === null || !/^https?:$/.test(url.protocol)) return CANNOT_HELP;
  // Without the user of the prompt, who may be called like a host.
  const query = new URLSearchParams({ match: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}` });
  let token = await ask(socket, `/token?${query}`);
  if (token?.['url']) stderr(`Link your account to go on: ${token['url']}\n`);
  query.set('listen', 'true');
  for (const deadline = Date.now() + LINK_WAIT_MS; token?.['url'] && Date.now() < deadline;) {
    await pause(ASK_AGAIN_MS);
    token = await ask(socket, `/token?${query}`);
  }
  const { username = '', password = '' } = token ?? {};
  if (username === '') return CANNOT_HELP;
  // Some hosts take the token as the user; then it is also what to say when only a password is asked for.
  stdout(`${asked[1] === 'Username' || password === '' ? username : password}\n`);
  return 0;
}

/** Runs ssh for git with the workspace owner's key, after the person's own keys. Returns ssh's exit code. */
export async function gitSsh(socket: string, args: readonly string[], { stderr }: HelperOutput): Promise<number> {
  const { private_key: privateKey, public_key: publicKey } = (await ask(socket, '/ssh-key')) ?? {};
  if (privateKey === undefined) return run('ssh', args);
  const folder = await mkdtemp(path.join(tmpdir(), 'berth-ssh-'));
  try {
    const file = path.join(folder, 'key');
    await writeFile(file, privateKey, { mode: 0o600 });
    const identities = [...(await ownIdentities(args)), file].flatMap((identity) => ['-i', identity]);
    const code = await run('ssh', [...identities, ...args]);
    if (code === 255) stderr(`If the host refused your key: this workspace shows it\n${publicKey ?? ''}\n`);
    return code;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The key files that ssh would use by itself and that exist: naming one makes ssh forget its own. */
async function ownIdentities(args: readonly string[]): Promise<string[]> {
  const child = spawn('ssh', ['-G', ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  await new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  return [...text.matchAll(/^identityfile (.+)$/gm)]
    .map(([, file = '']) => file.replace(/^~(?=\/)/, homedir()))
    .filter((file) => existsSync(file));
}

function run(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(255));
    child.once('close', (code) => resolve(code ?? 255));
  });
}

/** Asks the agent for the texts that it has; null when it has nothing, or is not there. */
function ask(socket: string, target: string): Promise<Readonly<Record<string, string>> | null> {
  return new Promise((resolve) => {
    const request = http.get({ socketPath: socket, path: target, timeout: ANSWER_TIMEOUT_MS }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        return resolve(null);
      }
      json(response).then(
        (body) => resolve(textsOf(body)),
        () => resolve(null),
      );
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(null));
  });
}

function textsOf(body: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(body ?? {})) if (typeof value === 'string') texts[name] = value;
  return texts;
}
