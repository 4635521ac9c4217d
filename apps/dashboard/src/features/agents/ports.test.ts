import { expect, test } from 'vitest';
import { levelsUpTo, shownPorts } from './ports.ts';

const share = { workspace_id: 'w', agent_name: 'main', port: 8080, share_level: 'public', protocol: 'http' } as const;

test('a port that listens twice and is shared comes once, in the order of the numbers', () => {
  const listening = [
    { port: 9000, network: 'tcp', process_name: '' },
    { port: 8080, network: 'tcp6', process_name: '' },
    { port: 8080, network: 'tcp', process_name: 'node' },
  ];
  expect(shownPorts({ listening, shares: [share], asked: [3000, 9000] })).toEqual([
    { port: 3000, process: '', isListening: false, share: undefined },
    { port: 8080, process: 'node', isListening: true, share },
    { port: 9000, process: '', isListening: true, share: undefined },
  ]);
});

test('a port that is shared is shown while nothing listens there', () => {
  expect(shownPorts({ listening: [], shares: [share], asked: [] })).toEqual([{ port: 8080, process: '', isListening: false, share }]);
});

test('no level above what the template allows is offered', () => {
  expect(levelsUpTo('owner')).toEqual(['owner']);
  expect(levelsUpTo('authenticated')).toEqual(['owner', 'authenticated']);
  expect(levelsUpTo('public')).toEqual(['owner', 'authenticated', 'public']);
});
