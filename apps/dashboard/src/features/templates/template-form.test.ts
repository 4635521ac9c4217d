import { nameProblem } from '@berth/domain';
import { expect, test } from 'vitest';
import { suggestedName } from './template-form.ts';

test('whatever a file is called, the suggested name is one that the server takes, or nothing', () => {
  for (const text of ['Node web project', 'My Template (2).tar.gz', '--x--.zip', 'a'.repeat(80), `${'a'.repeat(31)}-b`]) {
    expect(nameProblem('name', suggestedName(text)), text).toBeNull();
  }
  expect(suggestedName('Node web project')).toBe('node-web-project');
  expect(suggestedName('…')).toBe('');
});
