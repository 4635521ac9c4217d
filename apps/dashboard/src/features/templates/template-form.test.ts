import { nameProblem } from '@berth/domain';
import { expect, test } from 'vitest';
import { suggestedName, suggestedNames } from './template-form.ts';

test('whatever a file is called, the suggested name is one that the server takes, or nothing', () => {
  for (const text of ['Node web project', 'My Template (2).tar.gz', '--x--.zip', 'a'.repeat(80), `${'a'.repeat(31)}-b`]) {
    expect(nameProblem('name', suggestedName(text)), text).toBeNull();
  }
  expect(suggestedName('Node web project')).toBe('node-web-project');
  expect(suggestedName('…')).toBe('');
});

test('the form is filled with what berth.yaml says, and with the name of the only file where that says nothing', () => {
  const files = [{ name: 'backend.tar.gz' }];
  expect(suggestedNames(files, { name: 'Node web project', description: 'A web server.', icon: '/icon/node.svg' })).toEqual({
    name: 'node-web-project',
    display_name: 'Node web project',
    description: 'A web server.',
    icon: '/icon/node.svg',
  });
  expect(suggestedNames(files, { name: '', description: '', icon: '' }).name).toBe('backend');
  expect(suggestedNames(files, undefined)).toEqual({ name: 'backend', display_name: '', description: '', icon: '' });
  expect(suggestedNames([{ name: 'main.tf' }, { name: 'README.md' }], undefined).name).toBe('');
});
