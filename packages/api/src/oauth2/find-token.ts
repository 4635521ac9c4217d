import { tokenMatches } from '@berth/core/secrets';
import { parseApiKey } from '../auth/sessions.ts';
import type { Call } from '../kernel/procedures.ts';
import type { Client } from './client.ts';
import { findByCredential } from './credential.ts';

const ownerSelect = { select: { id: true, username: true, status: true, deleted: true } } as const;
const grantSelect = { familyId: true, scope: true, userId: true, user: ownerSelect } as const;

/** A token of a client, as revocation and introspection need it. */
export interface FoundToken {
  readonly kind: 'access' | 'refresh';
  readonly familyId: string;
  readonly scope: string;
  readonly user: { readonly id: string; readonly username: string; readonly status: string; readonly deleted: boolean };
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** A refresh token that was exchanged already. */
  readonly isUsed: boolean;
}

/** The access or refresh token that was given to this client; null for anything else, other clients' tokens too. */
export async function findToken(call: Pick<Call, 'db'>, client: Client, text: string): Promise<FoundToken | null> {
  const key = parseApiKey(text);
  if (key !== null) {
    const row = await call.db.apiKey.findFirst({
      where: { id: key.id, oauth2Token: { appId: client.id } },
      select: {
        hashedSecret: true,
        scope: true,
        permissions: true,
        createdAt: true,
        expiresAt: true,
        oauth2Token: { select: grantSelect },
      },
    });
    if (row === null || row.oauth2Token === null || !tokenMatches(key.secret, row.hashedSecret)) return null;
    const { familyId, user } = row.oauth2Token;
    const scope = row.scope === 'limited' ? row.permissions.join(' ') : row.scope;
    return { kind: 'access', familyId, scope, user, createdAt: row.createdAt, expiresAt: row.expiresAt, isUsed: false };
  }
  const row = await findByCredential(text, (prefix) =>
    call.db.oAuth2ProviderToken.findUnique({
      where: { prefix, appId: client.id },
      select: { ...grantSelect, hashedSecret: true, createdAt: true, expiresAt: true, rotatedAt: true },
    }),
  );
  if (row === null) return null;
  const { familyId, scope, user, createdAt, expiresAt } = row;
  return { kind: 'refresh', familyId, scope, user, createdAt, expiresAt, isUsed: row.rotatedAt !== null };
}
