import { parseArgs } from 'node:util';
import { SeedError } from './errors.ts';
import { env } from './env.ts';

export interface Options {
  readonly url: string;
  readonly token: string | undefined;
  readonly email: string | undefined;
  readonly password: string | undefined;
  /** The password of the accounts that are made; a random one when absent. */
  readonly usersPassword: string | undefined;
  /** Whether new workspaces are used for a moment, so that charts and "last used" have something to show. */
  readonly usesWorkspaces: boolean;
}

export const USAGE = `npm run seed -- [options]

Fills a running Berth with an example organization. Running it again changes nothing that is there.

  --url <url>                  where Berth is; BERTH_ACCESS_URL, else BERTH_HTTP_ADDRESS, else http://127.0.0.1:3000
  --token <token>              an API key of an owner; BERTH_TOKEN
  --email, --password <text>   or the sign-in of an owner; BERTH_FIRST_USER_EMAIL and BERTH_FIRST_USER_PASSWORD
                               (on a server without accounts they become the first one)
  --users-password <text>      the password of the accounts that are made; a random one, printed once, when absent
  --no-use                     do not open terminals and apps in the workspaces that are made
`;

/** Where a server is reached that listens at `host:port`; undefined where that does not say it. */
export function urlOfAddress(address: string | undefined): string | undefined {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address ?? '') ?? [];
  if (host === '' || Number(port) === 0) return undefined;
  // A server that listens everywhere is reached by loopback.
  const reached = host === '0.0.0.0' || host === '[::]' ? '127.0.0.1' : host;
  return `http://${reached}:${port}`;
}

/** Reads the command line and, where it is silent, the environment. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: args.filter((arg) => arg !== '--'),
      options: { url: text, token: text, email: text, password: text, 'users-password': text, 'no-use': { type: 'boolean' } },
    });
    return {
      url: (values.url ?? env.url ?? urlOfAddress(env.httpAddress) ?? 'http://127.0.0.1:3000').replace(/\/+$/, ''),
      token: values.token ?? env.token,
      email: values.email ?? env.email,
      password: values.password ?? env.password,
      usersPassword: values['users-password'],
      usesWorkspaces: values['no-use'] !== true,
    };
  } catch (error) {
    throw new SeedError(error instanceof Error ? error.message : String(error), 'See npm run seed -- --help.');
  }
}
