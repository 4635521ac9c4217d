import { randomBytes } from 'node:crypto';
import type { Client } from '@berth/client';
import { createClient, errorOf } from '@berth/client';
import { SeedError } from './errors.ts';
import type { Options } from './options.ts';

export interface Session {
  readonly client: Client;
  readonly username: string;
  readonly token: string;
  /** The account that was made, on a server that had none. */
  readonly madeAccount: { readonly email: string; readonly password: string } | null;
}

/** A password that nobody can guess. */
export function randomPassword(): string {
  return randomBytes(15).toString('base64url');
}

/** Signs in as the options say; makes the first account on a server that has none. */
export async function openSession(options: Options): Promise<Session> {
  const anonymous = createClient({ url: options.url });
  const madeAccount = (await hasAccounts(anonymous)) ? null : await makeFirstAccount(anonymous, options);
  const token = madeAccount === null ? await tokenOf(anonymous, options) : await login(anonymous, madeAccount);
  const client = createClient({ url: options.url, token });
  const me = await client.users.get.query({ user: 'me' });
  if (!me.roles.some(({ name }) => name === 'owner')) {
    throw new SeedError(
      `${me.username} does not own this deployment.`,
      'Sign in as an owner: only an owner can create users, templates and applications.',
    );
  }
  return { client, token, username: me.username, madeAccount };
}

async function hasAccounts(client: Client): Promise<boolean> {
  try {
    await client.users.hasFirst.query({});
    return true;
  } catch (error) {
    if (errorOf(error).kind === 'not_found') return false;
    throw error;
  }
}

async function makeFirstAccount(client: Client, { email = 'admin@example.com', password = randomPassword() }: Options) {
  await client.users.createFirst.mutate({ email, username: 'admin', name: 'Ada Admin', password });
  return { email, password };
}

async function tokenOf(client: Client, { token, email, password }: Options): Promise<string> {
  if (token !== undefined) return token;
  if (email !== undefined && password !== undefined) return login(client, { email, password });
  throw new SeedError(
    'Berth asks who you are.',
    'Run npm run seed -- --email you@example.com --password …, or give a --token of an owner.',
  );
}

/** Signs in with a password; answers the session's token. */
export async function login(client: Client, { email, password }: { email: string; password: string }): Promise<string> {
  const { session_token: token } = await client.auth.login.mutate({ email, password });
  return token;
}
