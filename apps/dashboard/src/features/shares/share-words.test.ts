import { expect, test } from 'vitest';
import { shareableThings, sharedThing } from './share-words.ts';

const app = { slug: 'web', display_name: 'Web page', subdomain: true, external: false, hidden: false };
const agents = [{ name: 'main', apps: [app, { ...app, slug: 'path', subdomain: false }, { ...app, slug: 'wiki', external: true }] }];

function things(more: Partial<Parameters<typeof shareableThings>[0]> = {}) {
  return shareableThings({ agents: agents as never, hasAppHost: true, terminal: undefined, ...more }).map(({ value }) => value);
}

test('apps are shared one by one where each has a host of its own, and never those that only the owner can open', () => {
  expect(things()).toEqual(['app:main/web', 'apps', 'terminal']);
  expect(things({ hasAppHost: false })).toEqual(['terminal']);
});

test('a terminal is offered for watching where the question comes from one', () => {
  expect(things({ terminal: { agentName: 'main', id: 'x' } })[0]).toBe('view');
});

test('a share says what it opens', () => {
  expect(sharedThing({ access: 'apps', agent_name: '', app_slug: '' })).toBe('All apps');
  expect(sharedThing({ access: 'apps', agent_name: 'main', app_slug: 'web' })).toBe('The app web of main');
  expect(sharedThing({ access: 'terminal_view', agent_name: 'main', app_slug: '' })).toBe('Watching one terminal of main');
});
