import type { ProxyStatus } from '@berth/domain';
import { PRIMARY_PROXY_NAME } from '@berth/domain';
import type { Services } from '../kernel/context.ts';
import type { WorkspaceProxy } from './contract.ts';
import type { PrimaryProxy, ProxyRow } from './proxy-rows.ts';

export function presentProxy(row: ProxyRow): WorkspaceProxy {
  return {
    id: row.id,
    name: row.name,
    display_name: row.displayName,
    icon_url: row.icon,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    deleted: row.deleted,
    derp_enabled: row.derpEnabled,
    derp_only: row.derpOnly,
    healthy: row.status === 'ok',
    version: row.version,
    path_app_url: row.url,
    wildcard_hostname: row.wildcardHostname,
    status: {
      // The column carries a check constraint with these very values.
      status: row.status as ProxyStatus,
      checked_at: row.checkedAt?.toISOString() ?? null,
      report: { errors: row.reportErrors, warnings: row.reportWarnings },
    },
  };
}

/** The server itself: it answers, so it is well. */
export function presentPrimaryProxy(primary: PrimaryProxy, { settings, clock }: Services): WorkspaceProxy {
  const now = clock.now().toISOString();
  return {
    id: primary.id,
    name: PRIMARY_PROXY_NAME,
    display_name: primary.displayName,
    icon_url: primary.icon,
    created_at: now,
    updated_at: now,
    deleted: false,
    derp_enabled: true,
    derp_only: false,
    healthy: true,
    version: settings.version,
    path_app_url: settings.accessUrl,
    wildcard_hostname: '',
    status: { status: 'ok', checked_at: now, report: { errors: [], warnings: [] } },
  };
}
