import type { Client } from '@berth/client';
import { OAUTH2_APP, TOKENS, TOKEN_LIFETIME_NANOSECONDS } from './cast.ts';
import type { Progress } from './progress.ts';

/** An OAuth2 application with a secret, and two tokens of the caller. Their secrets are not shown: make others to use them. */
export async function seedExtras(client: Client, progress: Progress): Promise<void> {
  const apps = await client.oauth2Apps.list.query({});
  if (apps.some(({ name }) => name === OAUTH2_APP.name)) {
    progress.found(`OAuth2 application ${OAUTH2_APP.name}`);
  } else {
    const { id } = await client.oauth2Apps.create.mutate({ ...OAUTH2_APP });
    await client.oauth2Apps.createSecret.mutate({ app: id });
    progress.made(`OAuth2 application ${OAUTH2_APP.name}`);
  }
  const tokens = await client.tokens.list.query({ user: 'me' });
  for (const name of TOKENS) {
    if (tokens.some((token) => token.token_name === name)) {
      progress.found(`token ${name}`);
      continue;
    }
    await client.tokens.create.mutate({ user: 'me', token_name: name, lifetime: TOKEN_LIFETIME_NANOSECONDS });
    progress.made(`token ${name}`);
  }
}
