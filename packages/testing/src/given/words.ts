import { newId } from '@berth/core';

/** A name that no other test has: `prefix` and eight random characters. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${newId().slice(0, 8)}`;
}
