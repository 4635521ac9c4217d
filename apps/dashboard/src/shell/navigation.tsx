import { IconBox, IconHistory, IconTemplate } from '@tabler/icons-react';

/** The places of the dashboard; `key` follows `g`. */
export const NAVIGATION = [
  { to: '/workspaces', label: 'Workspaces', key: 'w', icon: <IconBox size={18} /> },
  { to: '/templates', label: 'Templates', key: 't', icon: <IconTemplate size={18} /> },
  { to: '/audit', label: 'Audit log', key: 'a', icon: <IconHistory size={18} /> },
] as const;
