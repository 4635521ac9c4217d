import type { MinimalOrganization, Organization } from './contract.ts';
import type { OrganizationRow } from './resolve.ts';

export function presentOrganization(row: OrganizationRow): Organization {
  return {
    ...presentMinimalOrganization(row),
    description: row.description,
    is_default: row.isDefault,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function presentMinimalOrganization(row: Pick<OrganizationRow, 'id' | 'name' | 'displayName' | 'icon'>): MinimalOrganization {
  return { id: row.id, name: row.name, display_name: row.displayName, icon: row.icon };
}
