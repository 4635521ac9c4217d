import { expect, test } from 'vitest';

import { AgentManifest } from '@berth/protocol/agent';

import { id } from './fake-server.ts';
import { expand, expandPath, workspaceOf } from './workspace.ts';

test('variables are replaced in both spellings, and an unknown one becomes nothing', () => {
  expect(expand('$A/${B}c$UNKNOWN-$', { A: '1', B: '2' })).toBe('1/2c-$');
});

test('a variable is data: nothing in its value is replaced again', () => {
  expect(expand('$A', { A: '$B $(id)', B: 'no' })).toBe('$B $(id)');
});

test.each([
  ['~', '/home/ada'],
  ['~/project', '/home/ada/project'],
  ['$PLACE/x', '/srv/x'],
  ['project', '/home/ada/project'],
  ['/opt/../srv', '/srv'],
  ['  ', ''],
])('the path %j is %j', (path, absolute) => {
  expect(expandPath(path, { PLACE: '/srv' }, '/home/ada')).toBe(absolute);
});

const manifest = AgentManifest.parse({
  agent_id: id(1),
  agent_name: 'main',
  workspace_id: id(2),
  workspace_name: 'garden',
  owner_username: 'ada',
  directory: '$PLACE',
  environment: { PLACE: '/srv', EDITOR: 'vi', PATH: '/template/bin:$PATH' },
  apps: [],
  scripts: [],
  metadata: [],
  access_url: 'http://berth.test',
  motd_file: '~/motd',
  port_url: 'http://{{port}}--main--garden--ada.apps.test',
});

test('the template wins over the caller, the caller over what was inherited, and nobody over us', () => {
  const env = { url: 'http://x', home: '/home/ada', inherited: { PATH: '/bin', EDITOR: 'ed', BERTH: 'no' } };
  const workspace = workspaceOf(manifest, env, { standard: { GIT_ASKPASS: '/ask' }, binDir: '/own/bin' });
  expect(workspace.environment({ EDITOR: 'emacs', LC_TIME: 'pt', GIT_ASKPASS: '/mine', BERTH_WORKSPACE_NAME: 'other' })).toMatchObject({
    EDITOR: 'vi',
    LC_TIME: 'pt',
    GIT_ASKPASS: '/mine',
    BERTH: 'true',
    BERTH_WORKSPACE_NAME: 'garden',
    PATH: '/own/bin:/template/bin:/bin',
    VSCODE_PROXY_URI: 'http://{{port}}--main--garden--ada.apps.test',
  });
  expect(workspace).toMatchObject({ directory: '/srv', motdFile: '/home/ada/motd' });
});

test('a container that gave us no environment at all has a PATH, a shell, a user and a directory', () => {
  const workspace = workspaceOf(
    { ...manifest, directory: '/no/such/place', environment: {} },
    { url: 'http://x', home: '/no/home', inherited: {} },
  );
  expect(workspace.environment()).toMatchObject({
    PATH: expect.stringContaining('/usr/bin'),
    SHELL: expect.stringMatching(/^\//),
    USER: expect.stringMatching(/./),
    HOME: '/no/home',
  });
  expect(workspace.cwd()).toBe('/');
});
