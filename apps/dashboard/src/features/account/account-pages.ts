/** The pages of the account section, in the order of its navigation. */
export const ACCOUNT_PAGES = [
  { to: '/account/profile', label: 'Profile' },
  { to: '/account/appearance', label: 'Appearance' },
  { to: '/account/security', label: 'Security' },
  { to: '/account/tokens', label: 'API tokens' },
  { to: '/account/apps', label: 'Authorized apps' },
  { to: '/account/external', label: 'External accounts' },
  { to: '/account/ssh-key', label: 'SSH key' },
  { to: '/account/quiet-hours', label: 'Quiet hours' },
  { to: '/account/quota', label: 'Quota' },
  { to: '/account/about', label: 'About Berth' },
] as const;
