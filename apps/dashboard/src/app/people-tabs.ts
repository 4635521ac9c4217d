export const USER_TABS = ['overview', 'access', 'sessions'] as const;
export type UserTab = (typeof USER_TABS)[number];

export const ORGANIZATION_TABS = ['members', 'groups', 'roles', 'provisioners', 'sync', 'settings'] as const;
export type OrganizationTab = (typeof ORGANIZATION_TABS)[number];
