import type { PresetSearch } from '../saved-searches/address.ts';

/** Searches that people make all day. */
export const PRESETS: readonly PresetSearch[] = [
  { label: 'All workspaces', address: '' },
  { label: 'My workspaces', address: 'q=owner:me' },
  { label: 'Running', address: 'q=status:running' },
  { label: 'Failed', address: 'q=status:failed' },
  { label: 'Agent disconnected', address: 'q=has-agent:disconnected' },
  { label: 'Template version outdated', address: 'q=outdated:true' },
  { label: 'Dormant', address: 'q=dormant:true' },
  { label: 'Least recently used', address: 'sort=last_used' },
];
