import { errorOf } from '@berth/client';
import { anonymousClient, chosenUrl, sessionOf } from '../frame/connect.ts';
import type { Cli } from '../frame/cli.ts';
import { CliError, EXIT, usageError } from '../frame/errors.ts';
import { defineCommand, flag, optional, text } from '../frame/declare.ts';
import { openInBrowser } from '../frame/open-in-browser.ts';
import { readSecret } from '../frame/read-secret.ts';
import { serverUrl } from '../frame/sessions.ts';
import { VERSION } from '../frame/version.ts';

export const login = defineCommand({
  name: 'login',
  summary: 'Sign in to a server',
  description:
    'Signs in to a server and stores the session in a file that only you may read. Your browser shows a token to paste. Without a browser, use --token, or --email with a password.',
  args: { server: optional('The address of the server; by default the one of the last login') },
  options: {
    email: text('--email <address>', 'Sign in with this e-mail address and a password'),
    passwordStdin: flag('--password-stdin', 'Read the password from standard input'),
    noBrowser: flag('--no-browser', 'Only print the address of the page that shows the token'),
  },
  examples: [
    'berth login https://berth.example.com',
    'berth login https://berth.example.com --token "$TOKEN"',
    'berth login https://berth.example.com --email ada@example.com --password-stdin < password.txt',
  ],
  prints: false,
  async run(cli, { args, options }) {
    const url = args.server === undefined ? chosenUrl(cli.io, cli.store, cli.address) : serverUrl(args.server);
    warnOfPlainHttp(cli, url);
    const info = await requireBerth(cli, url);
    const token = cli.address.token ?? (await obtainToken(cli, { url, ...options }));
    const session = sessionOf(cli.io, url, token);
    const user = await session.client.users.get.query({ user: 'me' });
    cli.store.keep(url, token);
    cli.out.line(`Signed in to ${url} as ${user.username}.`);
    warnOfVersion(cli, info.version);
    cli.out.note('Next: berth list');
  },
});

/** Not refused: inside a company's network or a tunnel it may be all there is. */
function warnOfPlainHttp(cli: Cli, url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return;
  cli.out.note(`warning: ${url} is not encrypted: others on the network can read your session.`);
}

/** Asks the server what it is, before anything secret goes there. */
async function requireBerth(cli: Cli, url: string): Promise<{ readonly version: string }> {
  let info: { readonly version: string; readonly deployment_id?: string };
  try {
    info = await anonymousClient(cli.io, url).buildInfo.get.query({});
  } catch (cause) {
    if (cause instanceof Error && 'data' in cause && cause.data === undefined && 'meta' in cause && cause.meta !== undefined) {
      throw notBerth(url, cause);
    }
    throw cause;
  }
  if (typeof info.version !== 'string' || typeof info.deployment_id !== 'string') throw notBerth(url, undefined);
  return info;
}

function notBerth(url: string, cause: unknown): CliError {
  return new CliError(EXIT.unavailable, `The server at ${url} is not a Berth server.`, { cause, next: 'Check the address.' });
}

interface TokenWay {
  readonly url: string;
  readonly email: string | undefined;
  readonly passwordStdin: boolean;
  readonly noBrowser: boolean;
}

async function obtainToken(cli: Cli, { url, email, passwordStdin, noBrowser }: TokenWay): Promise<string> {
  if (email !== undefined) {
    const password = passwordStdin
      ? await readSecret(cli.io, 'password')
      : await cli.ask.secret({ message: `Password of ${email}`, flag: '--password-stdin' });
    return tokenForPassword(cli, { url, email, password });
  }
  if (passwordStdin) throw usageError('--password-stdin needs --email <address>.');
  const page = `${url}/cli-auth`;
  if (!cli.ask.isPossible) {
    throw usageError('Without a terminal, sign in with --token <token>, or with --email <address> --password-stdin.', {
      next: `Get a token at ${page}`,
    });
  }
  const isOpened = !noBrowser && (await openInBrowser(cli.io, page));
  cli.out.note(isOpened ? `Opening ${page} in your browser` : `Open this page in a browser and copy the token:\n  ${page}`);
  const token = await cli.ask.secret({ message: 'Token', flag: '--token <token>' });
  return token.trim();
}

async function tokenForPassword(cli: Cli, given: { url: string; email: string; password: string }): Promise<string> {
  try {
    const answer = await anonymousClient(cli.io, given.url).auth.login.mutate({ email: given.email, password: given.password });
    return answer.session_token;
  } catch (cause) {
    const { kind, message } = errorOf(cause);
    if (kind === 'unauthenticated') throw new CliError(EXIT.notSignedIn, message, { cause });
    throw cause;
  }
}

/** Within one minor version both sides understand each other; beyond it some commands may not. */
function warnOfVersion(cli: Cli, server: string): void {
  const [ours, theirs] = [VERSION, server].map((version) => /^v?(\d+\.\d+)/.exec(version)?.[1]);
  if (ours === undefined || theirs === undefined || ours === theirs) return;
  cli.out.note(`warning: this program is ${VERSION} and the server is ${server}; some commands may not work.`);
}
