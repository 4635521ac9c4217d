import type { Client } from '@berth/client';
import { createClient } from '@berth/client';

/** The first account of a server that the benchmark starts; it lives as long as the temporary folder. */
export const FIRST_USER = { email: 'bench@example.com', username: 'bench', password: 'correct-Horse-battery-7' } as const;

export interface SignedIn {
  readonly client: Client;
  readonly token: string;
}

/** Signs in as the first user. */
export async function signIn(url: string): Promise<SignedIn> {
  const { session_token: token } = await createClient({ url }).auth.login.mutate({
    email: FIRST_USER.email,
    password: FIRST_USER.password,
  });
  return { client: createClient({ url, token }), token };
}
