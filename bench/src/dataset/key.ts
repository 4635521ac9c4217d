import { hashToken, randomToken } from '@berth/core/secrets';
import { openClient } from '@berth/db/session';
import { CREATE_FUNCTIONS } from './ids.ts';
import { KEY } from './people.ts';

const id = randomToken(10);
const secret = randomToken(22);

/** The API key of this run; it belongs to the owner of the deployment. */
export const benchKey = { token: `${id}-${secret}` };

/** Makes this run's key valid in the database for a day. */
export async function storeBenchKey(url: string): Promise<void> {
  const client = await openClient({ connectionString: url, application_name: 'bench key' });
  try {
    await client.query(CREATE_FUNCTIONS);
    await client.query(KEY, [id, Buffer.from(hashToken(secret))]);
  } finally {
    await client.end();
  }
}
