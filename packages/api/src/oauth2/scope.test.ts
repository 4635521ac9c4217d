import { PERMISSIONS, scopeCovers } from '@berth/rbac';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scopeOfKey } from '../auth/subject-row.ts';
import { describeScopes, keyScopeOf, parseScope } from './scope.ts';

const NAMES = ['all', 'read_only', 'application_connect', ...PERMISSIONS];
const keyScope = (text: string) => scopeOfKey(keyScopeOf(text).scope, keyScopeOf(text).permissions);
const names = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 8 });

describe('a scope', () => {
  it('is reading when nothing is asked for, and null when it names what is no scope', () => {
    expect([parseScope(undefined), parseScope(''), parseScope('  ')]).toEqual(['read_only', 'read_only', 'read_only']);
    for (const text of [
      'limited',
      'ALL',
      'workspace:*',
      'workspace',
      'workspace:read,user:read',
      'all x',
      '__proto__',
      'workspace:read\tuser:read',
    ]) {
      expect(parseScope(text), text).toBeNull();
    }
  });

  it('is written in one way, whatever the order and the spaces', () => {
    fc.assert(
      fc.property(names, (list) => {
        const scope = parseScope(list.join(' '));
        expect(parseScope(list.toReversed().join('  '))).toBe(scope);
        expect(parseScope(scope ?? '')).toBe(scope);
      }),
    );
  });

  it('gives a key everything that each of its names gives, and nothing more', () => {
    fc.assert(
      fc.property(names, (list) => {
        const whole = keyScope(parseScope(list.join(' ')) ?? '');
        for (const name of list) expect(scopeCovers(whole, keyScope(name))).toBe(true);
        for (const permission of PERMISSIONS) {
          const isGiven = list.some((name) => scopeCovers(keyScope(name), keyScope(permission)));
          expect(scopeCovers(whole, keyScope(permission)), permission).toBe(isGiven);
        }
      }),
    );
  });

  it('is told to people in sentences, each another', () => {
    const sentences = describeScopes(NAMES.join(' ')).map(({ description }) => description);
    expect(new Set(sentences).size).toBe(NAMES.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][\w ]+.*\.$/);
    expect(describeScopes('workspace:start')).toEqual([{ name: 'workspace:start', description: 'Start workspaces, as far as you may.' }]);
  });
});
