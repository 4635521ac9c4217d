import { expect, test } from 'vitest';
import { editorLinks, sshHost, sshTarget } from './connect-words.ts';

const main = { name: 'main' };

function workspace(agents: number): Parameters<typeof sshTarget>[0] {
  const resources = [{ agents: Array.from({ length: agents }, () => main) }];
  return { name: 'harbour', owner_name: 'ada', latest_build: { resources } } as unknown as Parameters<typeof sshTarget>[0];
}

test('an agent is named only where there are several, and an owner only to others', () => {
  expect(sshTarget(workspace(1), main, 'ada')).toBe('harbour');
  expect(sshTarget(workspace(2), main, 'ada')).toBe('harbour.main');
  expect(sshTarget(workspace(1), main, 'bob')).toBe('ada/harbour');
  expect(sshHost(workspace(2), main, 'bob')).toBe('berth.ada--harbour.main');
});

test('editors open the folder of the agent, whatever characters it has', () => {
  const links = editorLinks('berth.harbour', { expanded_directory: '/home/ada/a b#c', display_apps: ['vscode'] });
  expect(links.map(({ name }) => name)).toEqual(['VS Code', 'Cursor', 'JetBrains Gateway']);
  expect(links[0]?.url).toBe('vscode://vscode-remote/ssh-remote+berth.harbour/home/ada/a%20b%23c');
  expect(links[2]?.url).toContain('projectPath=%2Fhome%2Fada%2Fa+b%23c');
});

test('an editor that the template leaves out is not offered', () => {
  const links = editorLinks('berth.harbour', { expanded_directory: '', display_apps: [] });
  expect(links.map(({ name }) => name)).toEqual(['Cursor', 'JetBrains Gateway']);
  expect(links[0]?.url).toBe('cursor://vscode-remote/ssh-remote+berth.harbour/');
});
