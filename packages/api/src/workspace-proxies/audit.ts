import type { ProxyRow } from './proxy-rows.ts';

/** What the audit log tracks of a proxy. The hash is tracked as a secret: shown as changed, never with its value. */
export function auditedProxy(row: ProxyRow): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    name: row.name,
    display_name: row.displayName,
    icon: row.icon,
    url: row.url,
    wildcard_hostname: row.wildcardHostname,
    created_at: row.createdAt,
    token_hashed_secret: Buffer.from(row.hashedSecret).toString('hex'),
    derp_enabled: row.derpEnabled,
    derp_only: row.derpOnly,
    version: row.version,
  };
}
