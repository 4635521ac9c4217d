/** The pages of the account section, in the order of its navigation. */
export const ACCOUNT_PAGES = [
  { to: '/account/profile', label: 'Profile' },
  { to: '/account/appearance', label: 'Appearance' },
  { to: '/account/tokens', label: 'API tokens' },
  { to: '/account/about', label: 'About Berth' },
] as const;
