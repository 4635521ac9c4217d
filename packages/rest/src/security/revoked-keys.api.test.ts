import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createTestServer } from '../testing/index.ts';
import { ended, listen, liveWorkspace, textOf, upgrade } from '../testing/live.ts';

const server = await createTestServer();
const { url } = await listen(server);
const live = await liveWorkspace(server, url);
const person = server.callAsUser(live.owner.id);

describe.each([
  ['by itself', (keyid: string) => person.tokens.delete({ user: 'me', keyid })],
  ['with all others', () => person.tokens.deleteAll({ user: 'me' })],
] as const)('a key that is revoked %s', (_, revoke) => {
  it('is out at once: its terminal, its socket and its streams end', async () => {
    const key = await server.keyOf(live.owner.id);
    const headers = { 'service-session-token': key };
    const terminal = new WebSocket(
      `${url.replace('http', 'ws')}/api/v2/workspaceagents/${live.agent.id}/pty?reconnect=${crypto.randomUUID()}`,
      { headers },
    );
    await once(terminal, 'open');
    const watch = await fetch(`${url}/api/v2/workspaces/${live.workspace.id}/watch`, { headers });
    const rpc = (await upgrade(`${url}/api/rpc`, headers)).socket;
    const subscribed = once(rpc, 'message');
    rpc.send(
      JSON.stringify({ id: 1, method: 'subscription', params: { path: 'workspaces.watch', input: { workspace: live.workspace.id } } }),
    );
    await subscribed;
    const subscriptionEnds = new Promise<void>((resolve) => {
      rpc.on('message', (data) => {
        const { result, error } = JSON.parse(textOf(data)) as { result?: { type: string }; error?: unknown };
        if (result?.type === 'stopped' || error !== undefined) resolve();
      });
    });

    await revoke(key.split('-')[0] ?? '');

    await Promise.all([once(terminal, 'close'), ended(watch), subscriptionEnds]);
    const answer = once(rpc, 'message');
    rpc.send(JSON.stringify({ id: 2, method: 'query', params: { path: 'users.get', input: { user: 'me' } } }));
    expect(textOf((await answer)[0])).toContain('"httpStatus":401');
    expect((await server.rest({ method: 'GET', path: '/users/me', key })).status).toBe(401);
    expect((await fetch(`${url}${live.appPath}`, { headers })).status).toBe(401);
    rpc.terminate();
  });
});
