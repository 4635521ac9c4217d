import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { TUNNEL_PATH, authChannel } from '@berth/api/server';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createTestServer } from '../testing/index.ts';
import { ended, listen, liveWorkspace, textOf, upgrade } from '../testing/live.ts';

const server = await createTestServer();
const { prisma, bus } = server;
const { url } = await listen(server);

/** Takes an account's rights away as an administrator's change would: the row, and the news of it. */
async function takeAway(userId: string, change: { status: string } | { deleted: true }): Promise<void> {
  await prisma.user.update({ where: { id: userId }, data: change });
  await bus.publish(prisma, authChannel, { user_id: userId });
}

describe.each([
  ['suspended', { status: 'suspended' }],
  ['deleted', { deleted: true }],
] as const)('an account that is %s', (_, change) => {
  it('is out at once on every door, and every stream that it held ends', async () => {
    const { owner, workspace, build, agent, key, token, fake, appPath } = await liveWorkspace(server, url);
    const headers = { 'service-session-token': key };
    const socketTo = (path: string): WebSocket => new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
    const api = `${url}/api/v2`;
    const doors = {
      rest: () => fetch(`${api}/users/me`, { headers }),
      rpc: () => fetch(`${url}/api/rpc/users.get?input=${encodeURIComponent('{"user":"me"}')}`, { headers }),
      state: () => fetch(`${api}/workspacebuilds/${build.id}/state`, { headers: { ...headers, accept: 'application/octet-stream' } }),
      upload: () =>
        fetch(`${api}/files`, { method: 'POST', body: new Uint8Array(1024), headers: { ...headers, 'content-type': 'application/x-tar' } }),
      app: () => fetch(`${url}${appPath}`, { headers }),
      watch: () => fetch(`${api}/workspaces/${workspace.id}/watch`, { headers }),
      metadata: () => fetch(`${api}/workspaceagents/${agent.id}/watch-metadata`, { headers }),
      subscription: () => fetch(`${url}/api/rpc/workspaces.watchList?input=%7B%7D`, { headers }),
    };
    const before = await Promise.all(Object.values(doors).map((open) => open()));
    for (const [index, name] of Object.keys(doors).entries()) expect(before[index]?.status, name).not.toBe(401);

    const streams: Promise<unknown>[] = before.slice(-3).map((response) => ended(response));
    const sockets = {
      terminal: socketTo(`/api/v2/workspaceagents/${agent.id}/pty?reconnect=${crypto.randomUUID()}`),
      buildLog: socketTo(`/api/v2/workspacebuilds/${build.id}/logs?follow`),
      agentLog: socketTo(`/api/v2/workspaceagents/${agent.id}/logs?follow`),
    };
    const rpc = socketTo('/api/rpc');
    const app = httpRequest(`${url}${appPath}socket`, { headers: { ...headers, connection: 'Upgrade', upgrade: 'echo' } }).end();
    const [[, appSocket]] = await Promise.all([
      once(app, 'upgrade'),
      ...Object.values(sockets).map((socket) => once(socket, 'open')),
      once(rpc, 'open'),
    ]);
    streams.push(...Object.values(sockets).map((socket) => once(socket, 'close')), once(appSocket, 'close'));
    const subscriptionEnds = new Promise<void>((resolve) => {
      rpc.on('message', (data) => {
        const { result, error } = JSON.parse(textOf(data)) as { result?: { type: string }; error?: unknown };
        if (result?.type === 'stopped' || error !== undefined) resolve();
      });
    });
    const subscribed = once(rpc, 'message');
    rpc.send(JSON.stringify({ id: 1, method: 'subscription', params: { path: 'workspaces.watch', input: { workspace: workspace.id } } }));
    await subscribed;
    await expect.poll(() => fake.terminals.length).toBe(1);

    await takeAway(owner.id, change);

    await Promise.all([...streams, subscriptionEnds]);
    for (const [name, open] of Object.entries(doors)) {
      const response = await open();
      // Server-sent events of tRPC say it in the stream.
      if (name === 'subscription') expect(await response.text()).toContain('"httpStatus":401');
      else expect(response.status, name).toBe(401);
    }
    for (const path of [`/api/v2/workspaceagents/${agent.id}/pty?reconnect=${crypto.randomUUID()}`, TUNNEL_PATH]) {
      expect((await upgrade(`${url}${path}`, { 'service-session-token': path === TUNNEL_PATH ? token : key })).outcome, path).toBe(401);
    }
    expect((await upgrade(`${url}/api/v2/workspacebuilds/${build.id}/logs?follow`, headers)).outcome).toBe(401);
    const answer = once(rpc, 'message');
    rpc.send(JSON.stringify({ id: 2, method: 'query', params: { path: 'users.get', input: { user: 'me' } } }));
    expect(String((await answer)[0])).toContain('"httpStatus":401');
    rpc.terminate();
    // The agent of their workspace is out too: its calls, and the tunnel that was open.
    const report = await fetch(`${url}/api/rpc/agentApi.manifest?input=%7B%7D`, { headers: { 'service-session-token': token } });
    expect(report.status).toBe(401);
    await expect.poll(() => server.services.tunnels.get(agent.id)).toBeUndefined();
  });
});
