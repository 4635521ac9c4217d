import type { SavedSearch } from '@berth/api/contract/saved-searches';

/** A search that every list offers, with what stands behind the `?` of its address. */
export interface PresetSearch {
  readonly label: string;
  readonly address: string;
}

/** Whether two addresses ask for the same, in whatever order they say it. */
export function isSameAddress(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

/** What the search that is shown is called: by its user, or by everybody; undefined for one without a name. */
export function nameOfAddress(address: string, saved: readonly SavedSearch[], presets: readonly PresetSearch[]): string | undefined {
  return (
    saved.find((search) => isSameAddress(search.address, address))?.name ??
    presets.find((preset) => isSameAddress(preset.address, address))?.label
  );
}

function canonical(address: string): string {
  const params = new URLSearchParams(address);
  params.sort();
  return params.toString();
}
