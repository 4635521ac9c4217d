import type { AuditLog } from './audit-words.ts';

/** An address of the dashboard, as the router takes it. */
interface PlaceOf {
  readonly to: string;
  readonly search: Record<string, string>;
}

type Facts = Pick<
  AuditLog,
  'resource_type' | 'resource_target' | 'resource_id' | 'resource_link' | 'is_deleted' | 'action' | 'status_code'
> & { readonly organization: { readonly name: string } | null; readonly user: { readonly username: string } | null };

/**
 * The page of the thing that a row is about; null when it is gone, or has none. The API's own links are those of its contract: where the
 * dashboard has the page elsewhere, or the API knows of none, this says where.
 */
export function pageOf(row: Facts): PlaceOf | null {
  const isGone = row.is_deleted || row.action === 'delete' || (row.status_code >= 400 && row.action === 'create');
  if (isGone) return null;
  const target = encodeURIComponent(row.resource_target);
  const organization = row.organization === null ? null : `/people/organizations/${encodeURIComponent(row.organization.name)}`;
  const named = (path: string | null): PlaceOf | null => (path === null || target === '' ? null : place(path));
  switch (row.resource_type) {
    case 'workspace':
    case 'workspace_build':
      return linked(row.resource_link, '/@');
    case 'template': {
      // The link has the name of today.
      const path = linked(row.resource_link, '/templates/')?.to;
      return path === undefined || row.organization === null
        ? null
        : place(path.replace('/templates/', `/templates/${encodeURIComponent(row.organization.name)}/`));
    }
    case 'user': {
      const name = linked(row.resource_link, '/users')?.search['filter'];
      return name === undefined ? null : place(`/people/users/${encodeURIComponent(name)}`);
    }
    case 'git_ssh_key':
      return named(`/people/users/${target}`);
    case 'organization':
      return named(`/people/organizations/${target}`);
    case 'group':
      return named(organization === null ? null : `${organization}/groups/${target}`);
    case 'custom_role':
      return named(organization === null ? `/people/roles/${target}` : `${organization}/roles/${target}`);
    case 'organization_member':
      return organization === null ? null : place(organization, { q: row.resource_target });
    case 'provisioner_key':
      return organization === null ? null : place(organization, { tab: 'provisioners' });
    case 'idp_sync_settings':
      return organization === null ? place('/people/sync') : place(organization, { tab: 'sync' });
    case 'api_key':
      return row.user === null || row.user.username === ''
        ? null
        : place(`/people/users/${encodeURIComponent(row.user.username)}`, { tab: 'sessions' });
    case 'oauth2_provider_app':
    case 'oauth2_provider_app_secret': {
      const id = /^\/deployment\/oauth2-provider\/apps\/([0-9a-f-]{36})$/.exec(row.resource_link)?.[1];
      return id === undefined ? null : place(`/admin/oauth2-apps/${id}`);
    }
    case 'appearance':
      return place('/admin/appearance');
    case 'health_settings':
      return place('/admin/health');
    case 'workspace_proxy':
      return place('/admin/proxies');
    case 'saved_search':
    case 'audit_export':
    case 'template_version':
    case 'license':
    case 'convert_login':
    case 'notifications_settings':
    case 'notification_template':
    case 'external_auth_link':
    case 'user_identity':
    case 'oauth2_provider_app_token':
      return null;
  }
}

function place(to: string, search: Record<string, string> = {}): PlaceOf {
  return { to, search };
}

/** A link of the API, when it is one to where it should lead. */
function linked(link: string, start: string): PlaceOf | null {
  const { origin, pathname, searchParams } = new URL(link, 'http://berth.invalid');
  return origin === 'http://berth.invalid' && pathname.startsWith(start) ? place(pathname, Object.fromEntries(searchParams)) : null;
}
