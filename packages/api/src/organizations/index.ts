export { readableOrganizations } from './list-organizations.ts';
export { presentOrganization } from './presenter.ts';
export type { OrganizationRow } from './resolve.ts';
export { findOrganization, organizationSelect, resolveOrganization } from './resolve.ts';
