import { expect, test } from 'vitest';
import { SHELLS_MAX, newShell, parseShells, rememberShells, rememberedShells, shellLabel, shellName, shellsText } from './shells.ts';

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const OTHER = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

test('an address keeps each shell with its app and its name', () => {
  const shells = [
    { id: ID, app: '', name: 'build: a~b' },
    { id: OTHER, app: 'htop', name: '' },
  ];
  expect(parseShells(shellsText(shells))).toEqual(shells);
});

test('what an address says wrongly or twice is left out, and it opens no more than there are keys for', () => {
  expect(parseShells(undefined)).toEqual([]);
  expect(parseShells(`nonsense,${ID},${ID},${OTHER}:UP;rm`)).toEqual([{ id: ID, app: '', name: '' }]);
  const many = Array.from({ length: 20 }, () => newShell());
  expect(parseShells(shellsText(many))).toEqual(many.slice(0, SHELLS_MAX));
});

test('an address names the app of a command, never the command', () => {
  expect(parseShells(`${ID}:rm -rf ~`)).toEqual([]);
});

test('a title is one short line of text, whatever a program sends', () => {
  expect(shellName(' a\u001B]0;b\u0007\nc,d ')).toBe('a ]0;b c d');
  expect(shellName('\u202Eevil')).toBe('evil');
  expect(shellName('x'.repeat(200))).toHaveLength(40);
});

test('the name that somebody gave wins over the title of the program, and that over a number', () => {
  const shell = newShell();
  expect(shellLabel({ ...shell, name: 'logs' }, 0, 'vim')).toBe('logs');
  expect(shellLabel(shell, 0, 'vim')).toBe('vim');
  expect(shellLabel({ ...shell, app: 'htop' }, 0, undefined)).toBe('htop');
  expect(shellLabel(shell, 2, '')).toBe('Shell 3');
});

test('a browser tab keeps its shells over a reload, and each agent has its own', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const shells = rememberedShells(storage, 'agent-1');
  rememberShells(storage, 'agent-1', shells);
  expect(rememberedShells(storage, 'agent-1')).toEqual(shells);
  expect(rememberedShells(storage, 'agent-2')).not.toEqual(shells);
  expect(shells[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
