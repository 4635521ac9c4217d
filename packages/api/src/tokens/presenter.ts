import type { Prisma } from '@berth/db';
import type { ApiKeyLoginType, ApiKeyScope } from '@berth/domain';
import type { z } from 'zod';
import type { ApiKey, Session } from './contract.ts';

export const apiKeySelect = {
  id: true,
  userId: true,
  loginType: true,
  scope: true,
  permissions: true,
  tokenName: true,
  lifetimeSeconds: true,
  lastUsedAt: true,
  createdAt: true,
  updatedAt: true,
  expiresAt: true,
  user: { select: { username: true } },
} as const satisfies Prisma.ApiKeySelect;

export const sessionSelect = {
  ...apiKeySelect,
  lastUsedIp: true,
  oauth2Token: { select: { app: { select: { name: true } } } },
} as const satisfies Prisma.ApiKeySelect;

export type ApiKeyRow = Prisma.ApiKeyGetPayload<{ select: typeof apiKeySelect }>;

export function presentApiKey(row: ApiKeyRow): z.output<typeof ApiKey> {
  return {
    id: row.id,
    user_id: row.userId,
    username: row.user.username,
    // The columns carry check constraints with these very values.
    login_type: row.loginType as ApiKeyLoginType,
    scope: row.scope as ApiKeyScope,
    permissions: row.permissions,
    token_name: row.tokenName,
    lifetime_seconds: Number(row.lifetimeSeconds),
    last_used: row.lastUsedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  };
}

export function presentSession(
  row: Prisma.ApiKeyGetPayload<{ select: typeof sessionSelect }>,
  currentKeyId: string,
): z.output<typeof Session> {
  return {
    ...presentApiKey(row),
    last_used_ip: row.lastUsedIp,
    app_name: row.oauth2Token?.app.name ?? '',
    is_current: row.id === currentKeyId,
  };
}
