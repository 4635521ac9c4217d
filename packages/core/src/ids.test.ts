import { describe, expect, it } from 'vitest';
import { NIL_UUID, isUuid, newId } from './ids.ts';

describe('an id', () => {
  it('is a random UUID of version 4, never the same twice', () => {
    const ids = Array.from({ length: 1000 }, newId);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is known by its form alone, in either case', () => {
    for (const text of [newId(), newId().toUpperCase(), NIL_UUID]) expect(isUuid(text), text).toBe(true);
    for (const text of [
      '',
      'me',
      `${newId()}\n`,
      ` ${newId()}`,
      newId().replaceAll('-', ''),
      newId().slice(1),
      `${newId()}0`,
      newId().replace(/^./, 'g'),
    ]) {
      expect(isUuid(text), JSON.stringify(text)).toBe(false);
    }
  });
});
