import { expect, test } from 'vitest';

import { hostOf, workspaceOfHost } from './host.ts';

test.each([
  ['berth.harbour', 'harbour', { owner: null, name: 'harbour', agent: null }],
  ['berth.harbour.main', 'harbour.main', { owner: null, name: 'harbour', agent: 'main' }],
  ['berth.ada--harbour', 'ada/harbour', { owner: 'ada', name: 'harbour', agent: null }],
  ['berth.ada-b--old-harbour.main', 'ada-b/old-harbour.main', { owner: 'ada-b', name: 'old-harbour', agent: 'main' }],
])('%s is the workspace %s', (host, workspace, place) => {
  expect(workspaceOfHost(host)).toBe(workspace);
  expect(hostOf(place)).toBe(host);
});

test.each(['harbour', 'berth.', 'berth.-x', 'berth.a--b--c', 'berth.a.b.c', 'berth.$(id)', "berth.a'", 'berth.--all', 'berth.a b'])(
  '%s is none',
  (host) => {
    expect(() => workspaceOfHost(host)).toThrow('is not a workspace name');
  },
);
