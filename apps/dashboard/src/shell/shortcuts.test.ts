import { expect, it } from 'vitest';
import { bySection, hasCommandKey, plainAction, shortcuts } from './shortcuts.ts';

const places = [
  { key: 'w', label: 'Workspaces' },
  { key: 'a', label: 'Audit log' },
];

it('every plain shortcut of the sheet is obeyed, and every one that is obeyed is on the sheet', () => {
  const table = shortcuts(places, 'Ctrl').filter(({ isPlain, section }) => isPlain && section !== 'In lists');
  for (const { keys } of table) expect(plainAction(keys[0] ?? '', { isSequence: false }), keys.join(' ')).not.toBeNull();
  const known = 'abcdefghijklmnopqrstuvwxyz/?'.split('').filter((key) => plainAction(key, { isSequence: false }) !== null);
  expect(new Set(known)).toEqual(new Set(table.map(({ keys }) => keys[0])));
});

it('a key after g goes to a place, also one that means something by itself', () => {
  expect(plainAction('n', { isSequence: true })).toEqual({ kind: 'place', key: 'n' });
});

it('the sheet has each section once, with every place', () => {
  const sections = bySection(shortcuts(places, '⌘'));
  expect(sections.map(([name]) => name)).toEqual(['Everywhere', 'Go to', 'In lists', 'In a terminal']);
  expect(sections[1]?.[1].map(({ what }) => what)).toEqual(['Workspaces', 'Audit log']);
});

it('the command key is that of Apple’s keyboards', () => {
  expect(hasCommandKey('MacIntel')).toBe(true);
  expect(hasCommandKey('Linux x86_64')).toBe(false);
});
