import { isUuid } from '@berth/core';
import { Prisma } from '@berth/db';
import type { Tx } from '@berth/db';
import { z } from 'zod';
import type { Call } from '../kernel/procedures.ts';
import { findByCredential } from './credential.ts';
import { OAuth2Refusal } from './refusal.ts';

const ClientRows = z.array(
  z.object({ id: z.string(), name: z.string(), icon: z.string(), callbackUrl: z.string(), clientType: z.enum(['confidential', 'public']) }),
);
export type Client = z.output<typeof ClientRows>[number];

/**
 * The application with this client id. It stays as long as the transaction does: whoever deletes it waits, and then finds everything that
 * was given meanwhile.
 */
export async function findClient(db: Tx, clientId: string | undefined): Promise<Client | null> {
  if (clientId === undefined || !isUuid(clientId)) return null;
  const rows = await db.$queryRaw(Prisma.sql`
    SELECT id::text, name, icon, callback_url AS "callbackUrl", client_type AS "clientType"
    FROM oauth2_provider_apps WHERE id = ${clientId}::uuid FOR KEY SHARE`);
  return ClientRows.parse(rows)[0] ?? null;
}

/**
 * The application that makes a request: a confidential one by one of its own secrets, a public one by its id alone (a secret that is sent
 * all the same must be right). Throws `invalid_client`.
 */
export async function authenticateClient(
  call: Pick<Call, 'db' | 'services'>,
  { client_id: clientId, client_secret: secret }: { client_id?: string | undefined; client_secret?: string | undefined },
): Promise<Client> {
  const client = await findClient(call.db, clientId);
  const refused = new OAuth2Refusal('invalid_client', 'The client is not known, or its secret is wrong.');
  if (client === null) throw refused;
  if (client.clientType === 'public' && (secret === undefined || secret === '')) return client;
  const row = await findByCredential(secret, (prefix) =>
    call.db.oAuth2ProviderAppSecret.findUnique({ where: { prefix, appId: client.id }, select: { id: true, hashedSecret: true } }),
  );
  if (row === null) throw refused;
  await call.db.oAuth2ProviderAppSecret.update({
    where: { id: row.id },
    data: { lastUsedAt: call.services.clock.now() },
    select: { id: true },
  });
  return client;
}
