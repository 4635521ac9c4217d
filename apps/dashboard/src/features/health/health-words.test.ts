import { HEALTH_CODES } from '@berth/domain';
import { expect, test } from 'vitest';
import type { SectionView } from './health-words.ts';
import { adviceFor, errorParts, toggled, verdict } from './health-words.ts';

const section = (name: SectionView['section'], severity: SectionView['severity'], isDismissed = false): SectionView => ({
  section: name,
  title: name,
  meaning: '',
  severity,
  isDismissed,
  findings: [],
  facts: [],
});

test('every code comes with what to do about it', () => {
  for (const code of HEALTH_CODES) expect(adviceFor(code), code).toMatch(/\.$/);
  expect(adviceFor('ENEW99')).toBe(adviceFor('EUNKNOWN'));
});

test('an error is told from its code', () => {
  expect(errorParts('EACS03: This server cannot reach it: refused.')).toEqual({
    code: 'EACS03',
    message: 'This server cannot reach it: refused.',
  });
  expect(errorParts('no code here')).toEqual({ code: 'EUNKNOWN', message: 'no code here' });
});

test('the verdict is the worst of what somebody wants to be told of', () => {
  const sections = [section('Database', 'ok'), section('AccessURL', 'warning'), section('Websocket', 'error', true)];
  expect(verdict(sections)).toEqual({ severity: 'warning', sentence: 'It works, and something is worth a look: AccessURL.' });
  expect(verdict([section('Websocket', 'error', true)]).severity).toBe('ok');
  expect(verdict([section('Websocket', 'error')]).sentence).toBe('Broken: Websocket.');
});

test('dismissing one section leaves the others as they are', () => {
  const sections = [section('Database', 'ok'), section('AccessURL', 'warning'), section('Websocket', 'error', true)];
  expect(toggled(sections, 'AccessURL')).toEqual(['AccessURL', 'Websocket']);
  expect(toggled(sections, 'Websocket')).toEqual([]);
});
