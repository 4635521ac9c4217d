import { expect, it } from 'vitest';
import { freeTerm, readQuery } from './query.ts';

it('takes a first word that says what to do from what is looked for', () => {
  expect(readQuery(' Stop  api ')).toEqual({ words: ['stop', 'api'], verb: 'workspace', subject: 'api' });
  expect(readQuery('new Félix')).toEqual({ words: ['new', 'felix'], verb: 'template', subject: 'Félix' });
  expect(readQuery('api stop')).toMatchObject({ verb: null, subject: 'api stop' });
  expect(readQuery('')).toEqual({ words: [], verb: null, subject: '' });
});

it('asks for a bounded text', () => {
  expect(readQuery('x'.repeat(5000)).subject).toHaveLength(100);
});

it('asks the server for the longest word, whatever is typed', () => {
  expect(freeTerm('node web-project')).toBe('"web-project"');
  expect(freeTerm('owner:me "x')).toBe('"owner:me"');
  expect(freeTerm(' " ')).toBe('');
});
