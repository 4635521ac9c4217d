/** Searches that people make all day. */
export const PRESETS = [
  { label: 'All workspaces', q: '' },
  { label: 'My workspaces', q: 'owner:me' },
  { label: 'Running', q: 'status:running' },
  { label: 'Failed', q: 'status:failed' },
  { label: 'Agent disconnected', q: 'has-agent:disconnected' },
  { label: 'Template version outdated', q: 'outdated:true' },
  { label: 'Dormant', q: 'dormant:true' },
] as const;
