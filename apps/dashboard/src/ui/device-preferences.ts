import { useSyncExternalStore } from 'react';

/** What is set for this browser only. The script before the first paint reads the same keys. */
export interface DevicePreferences {
  readonly density: Density;
  /** Shortcuts of single keys; those with Ctrl or ⌘ always work. */
  readonly plainKeys: boolean;
  /** Times as dates and clock times instead of "3 minutes ago". */
  readonly exactTimes: boolean;
}

export const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable', explained: 'Room around everything.' },
  { value: 'compact', label: 'Compact', explained: 'More rows on a screen: tables, cards and forms stand closer together.' },
] as const;
export type Density = (typeof DENSITIES)[number]['value'];

const DENSITY_KEY = 'berth-density';
const PLAIN_KEYS_KEY = 'berth-plain-keys';
const EXACT_TIMES_KEY = 'berth-exact-times';

type Store = Pick<Storage, 'getItem'>;

export function readPreferences(store: Store): DevicePreferences {
  try {
    return {
      density: store.getItem(DENSITY_KEY) === 'compact' ? 'compact' : 'comfortable',
      plainKeys: store.getItem(PLAIN_KEYS_KEY) !== 'off',
      exactTimes: store.getItem(EXACT_TIMES_KEY) === 'on',
    };
  } catch {
    // Storage may be closed to us.
    return { density: 'comfortable', plainKeys: true, exactTimes: false };
  }
}

let current: DevicePreferences | undefined;

/** Read when they are first asked for. */
function known(): DevicePreferences {
  current ??= readPreferences(localStorage);
  return current;
}

const listeners = new Set<() => void>();

function set(next: DevicePreferences, key: string, value: string): void {
  current = next;
  document.documentElement.dataset['density'] = next.density;
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds until the page is loaded again.
  }
  for (const tell of listeners) tell();
}

export function setDensity(density: Density): void {
  set({ ...known(), density }, DENSITY_KEY, density);
}

export function setPlainKeys(plainKeys: boolean): void {
  set({ ...known(), plainKeys }, PLAIN_KEYS_KEY, plainKeys ? 'on' : 'off');
}

export function setExactTimes(exactTimes: boolean): void {
  set({ ...known(), exactTimes }, EXACT_TIMES_KEY, exactTimes ? 'on' : 'off');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDevicePreferences(): DevicePreferences {
  return useSyncExternalStore(subscribe, known);
}
