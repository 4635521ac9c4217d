import type { SearchPreset } from '../../ui/SearchBox.tsx';

const DAY_MS = 86_400_000;

/** Searches that administrators make; `now` in milliseconds. */
export function userPresets(now: number): SearchPreset[] {
  const monthAgo = `${new Date(now - 30 * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`;
  return [
    { label: 'Everybody', q: '' },
    { label: 'Active', q: 'status:active' },
    { label: 'Dormant', q: 'status:dormant' },
    { label: 'Suspended', q: 'status:suspended' },
    { label: 'Owners', q: 'role:owner' },
    { label: 'Administrators of any kind', q: 'role:owner,user-admin,template-admin' },
    { label: 'Not seen for 30 days', q: `last_seen_before:"${monthAgo}"` },
  ];
}
