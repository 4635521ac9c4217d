import { expect, test } from 'vitest';
import { terminalCommand } from './terminal-keys.ts';

const press = (code: string, more: Partial<KeyboardEvent> = {}) =>
  terminalCommand({ type: 'keydown', ctrlKey: true, shiftKey: true, altKey: false, metaKey: false, code, ...more });

test('Ctrl+Shift and a digit shows the terminal of that number', () => {
  expect(press('Digit1')).toEqual({ kind: 'show', index: 0 });
  expect(press('Digit9')).toEqual({ kind: 'show', index: 8 });
  expect(press('Digit0')).toBeUndefined();
});

test('what is not ours goes to the shell', () => {
  expect(press('KeyC', { shiftKey: false })).toBeUndefined();
  expect(press('KeyC', { altKey: true })).toBeUndefined();
  expect(press('KeyC', { type: 'keyup' })).toBeUndefined();
  expect(press('KeyR')).toBeUndefined();
  expect(press('KeyV')).toBeUndefined();
});
