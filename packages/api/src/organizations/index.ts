export type { OrganizationRow } from './resolve.ts';
export { findOrganization, resolveOrganization } from './resolve.ts';
