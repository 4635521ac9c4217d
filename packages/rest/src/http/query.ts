import { invalidField } from '@berth/core';

/**
 * The value of a parameter that has one value. Clients in the field repeat some, such as `version=1.1&version=1.1`, which says nothing
 * else; different values are rejected.
 */
export function singleValue(query: unknown, name: string): unknown {
  const value: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined;
  if (!Array.isArray(value)) return value;
  if (new Set<unknown>(value).size > 1) throw invalidField(name, 'must not have several values');
  return value[0];
}
