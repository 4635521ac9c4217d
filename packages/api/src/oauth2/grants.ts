import { notFound } from '@berth/core';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { auditedGrant } from './audit.ts';
import { grantObject } from './authorize.ts';
import { findClient } from './client.ts';
import type { Grant, RevokeApp } from './contract.ts';
import { endGrants } from './end-grants.ts';
import { describeScopes, parseScope } from './scope.ts';

/** A bound for what one person looks through. */
const MAX_LISTED = 1000;

/** The applications that may act for the caller now, by name. */
export async function listGrants(call: UserCall): Promise<Grant[]> {
  const { userId } = call.principal;
  call.authorize.require(grantObject(userId), { sitewide: true });
  const rows = await call.db.oAuth2ProviderToken.findMany({
    where: { userId, rotatedAt: null, expiresAt: { gt: call.services.clock.now() } },
    select: {
      scope: true,
      grantedAt: true,
      createdAt: true,
      expiresAt: true,
      app: { select: { id: true, name: true, icon: true } },
      apiKey: { select: { lastUsedAt: true } },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_LISTED,
  });
  const byApp = Map.groupBy(rows, ({ app }) => app.id);
  const grants = [...byApp.values()].flatMap((given) => {
    const app = given[0]?.app;
    if (app === undefined) return [];
    const scope = parseScope(given.map((row) => row.scope).join(' ')) ?? '';
    const latest = (times: Date[]): string => new Date(Math.max(...times.map((time) => time.getTime()))).toISOString();
    return {
      app,
      scope,
      scopes: describeScopes(scope),
      created_at: new Date(Math.min(...given.map((row) => row.grantedAt.getTime()))).toISOString(),
      // A refresh is a use, too.
      last_used_at: latest(given.flatMap((row) => [row.createdAt, row.apiKey?.lastUsedAt ?? row.createdAt])),
      expires_at: latest(given.map((row) => row.expiresAt)),
    };
  });
  return grants.toSorted((a, b) => a.app.name.localeCompare(b.app.name));
}

/** Takes everything away that the caller gave to an application, at once. */
export async function revokeApp(call: UserCall, input: z.output<typeof RevokeApp>): Promise<void> {
  const { userId } = call.principal;
  call.authorize.require(grantObject(userId), { sitewide: true });
  const client = await findClient(call.db, input.client_id);
  if (client === null) throw notFound();
  call.audit.set(auditedGrant(client, client.id, userId));
  const ended = await endGrants(call, userId, { appId: client.id });
  if (ended === 0) call.audit.discard();
  else call.audit.update({ before: { app_id: client.id, user_id: userId } });
}
