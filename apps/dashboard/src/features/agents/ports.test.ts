import { expect, test } from 'vitest';
import { levelsUpTo, shownPorts, wellKnownPorts } from './ports.ts';

const share = { workspace_id: 'w', agent_name: 'main', port: 8080, share_level: 'public', protocol: 'http' } as const;
const web = { slug: 'web', display_name: 'Web page' };
const listens = (port: number, process_name = '', network = 'tcp') => ({ port, network, process_name });
const ofApp = (port: number, ...app_slugs: string[]) => ({ ...listens(port, 'node'), reason: 'app' as const, app_slugs });
const wellKnown = (port: number, name = '') => ({ ...listens(port, name), reason: 'well_known' as const, app_slugs: [] });

test('a port that listens twice and is shared comes once, in the order of the numbers', () => {
  const listening = { ports: [listens(9000), listens(8080, '', 'tcp6'), listens(8080, 'node')], hidden: [] };
  expect(shownPorts({ listening, apps: [], shares: [share], asked: [3000, 9000] })).toEqual([
    { port: 3000, process: '', isListening: false, apps: [], share: undefined },
    { port: 8080, process: 'node', isListening: true, apps: [], share },
    { port: 9000, process: '', isListening: true, apps: [], share: undefined },
  ]);
});

test('a port that is shared is shown while no process listens there', () => {
  expect(shownPorts({ listening: { ports: [], hidden: [] }, apps: [], shares: [share], asked: [] })).toEqual([
    { port: 8080, process: '', isListening: false, apps: [], share },
  ]);
});

test('the port of an app is listed with the names of its apps', () => {
  const listening = { ports: [], hidden: [ofApp(8080, 'web', 'preview')] };
  expect(shownPorts({ listening, apps: [web, { slug: 'preview', display_name: '' }], shares: [], asked: [] })).toEqual([
    { port: 8080, process: 'node', isListening: true, apps: ['Web page', 'preview'], share: undefined },
  ]);
});

test('ports of well-known services are named, and listed only when they were asked for', () => {
  const listening = { ports: [], hidden: [wellKnown(22), wellKnown(22, 'sshd'), wellKnown(5432)] };
  expect(wellKnownPorts(listening)).toBe('22 (sshd), 5432');
  expect(shownPorts({ listening, apps: [], shares: [], asked: [] })).toEqual([]);
  expect(shownPorts({ listening, apps: [], shares: [], asked: [22] })).toMatchObject([{ port: 22, process: 'sshd', isListening: true }]);
});

test('no level above what the template allows is offered', () => {
  expect(levelsUpTo('owner')).toEqual(['owner']);
  expect(levelsUpTo('authenticated')).toEqual(['owner', 'authenticated']);
  expect(levelsUpTo('public')).toEqual(['owner', 'authenticated', 'public']);
});
