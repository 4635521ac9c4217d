import { conflict, newId, notFound } from '@berth/core';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { newCredential } from '../oauth2/index.ts';
import type { AppRow } from './app-rows.ts';
import { findApp } from './app-rows.ts';
import type { OAuth2AppSecretPath, OAuth2ProviderAppSecret, OAuth2ProviderAppSecretFull } from './contract.ts';

/** The secrets of an application, oldest first; never the secrets themselves. */
export async function listAppSecrets(call: UserCall, input: { app: string }): Promise<OAuth2ProviderAppSecret[]> {
  const app = await loadAppForSecrets(call, input.app);
  const rows = await call.db.oAuth2ProviderAppSecret.findMany({
    where: { appId: app.id },
    select: { id: true, lastUsedAt: true, display: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => ({ id: row.id, last_used_at: row.lastUsedAt?.toISOString() ?? null, client_secret_truncated: row.display }));
}

/** Makes a secret `berth_<prefix>_<secret>`. The prefix finds the row; of the secret only a hash is kept. */
export async function createAppSecret(call: UserCall, input: { app: string }): Promise<[z.output<typeof OAuth2ProviderAppSecretFull>]> {
  const secret = newCredential();
  const id = newId();
  const app = await loadAppForSecrets(call, input.app, { id, display: secret.display });
  if (app.clientType === 'public') throw conflict('A public client keeps no secret. Make the application confidential first.');
  await call.db.oAuth2ProviderAppSecret.create({
    data: { id, appId: app.id, ...secret.stored, display: secret.display, createdAt: call.services.clock.now() },
    select: { id: true },
  });
  return [{ id, client_secret_full: secret.text }];
}

export async function deleteAppSecret(call: UserCall, input: z.output<typeof OAuth2AppSecretPath>): Promise<void> {
  const row = await call.db.oAuth2ProviderAppSecret.findUnique({
    where: { id: input.secretID, appId: input.app },
    select: { id: true, display: true },
  });
  await loadAppForSecrets(call, input.app, row);
  if (row === null) throw notFound();
  await call.db.oAuth2ProviderAppSecret.delete({ where: { id: row.id }, select: { id: true } });
}

/** The application whose secrets are meant, once the caller is allowed what the procedure does to them. */
async function loadAppForSecrets(call: UserCall, appId: string, secret: { id: string; display: string } | null = null): Promise<AppRow> {
  const app = await findApp(call.db, appId);
  if (app !== null && secret !== null) {
    call.audit.set({
      resourceId: secret.id,
      target: secret.display,
      icon: app.icon,
      additionalFields: { app_id: app.id, app_name: app.name },
    });
  }
  call.authorize.require({ type: 'oauth2_app_secret', id: secret?.id ?? null }, { sitewide: true });
  if (app === null) throw notFound();
  return app;
}
