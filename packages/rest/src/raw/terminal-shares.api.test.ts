import { once } from 'node:events';
import { newId } from '@berth/core';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { knockListening } from '../testing/doors/knock.ts';
import { createTestServer } from '../testing/index.ts';
import { listen, liveWorkspace, textOf, upgrade } from '../testing/live.ts';

/** What a share opens, and what it does not, over the real doors. */
const server = await createTestServer();
const { url } = await listen(server);
const live = await liveWorkspace(server, url);
const { rows, workspace, agent, organization, fake } = live;
const api = `${url}/api/v2`;

async function recipient(share: Partial<Parameters<typeof rows.share>[0]>) {
  const friend = await rows.user({ memberOf: [organization.id] });
  const { id } = await rows.share({ workspaceId: workspace.id, userId: friend.id, ...share });
  return { friend, share: id, headers: { 'service-session-token': await server.keyOf(friend.id) } };
}

const pty = (headers: Record<string, string>, query = `reconnect=${newId()}`) =>
  upgrade(`${api}/workspaceagents/${agent.id}/pty?${query}`, headers);

/** What a socket says, once it contains `end`. */
function heard(socket: WebSocket, end: string): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      text += textOf(data);
      if (text.includes(end)) resolve(text);
    });
  });
}

async function typed(socket: WebSocket, data: string): Promise<void> {
  const said = heard(socket, data.toUpperCase());
  socket.send(JSON.stringify({ data }));
  await said;
}

describe('a share of a terminal', () => {
  it('opens terminals, until it is taken back: then they close at once, for good', async () => {
    const { headers, share } = await recipient({ access: 'terminal' });
    const { outcome, socket } = await pty(headers);
    expect(outcome).toBe('open');
    await typed(socket, 'from a friend');
    const closed = once(socket, 'close');
    await server.callAsUser(live.owner.id).workspaceShares.delete({ workspace: workspace.id, share });
    expect(String(await closed)).toBe('1008,Your access to this terminal has ended.');
    expect((await pty(headers)).outcome).toBe(404);
  });

  it('gives no other right: not to see the workspace or its logs, metadata and ports, to come in by SSH or to a port, or to its apps', async () => {
    const { headers } = await recipient({ access: 'terminal' });
    const get = async (path: string): Promise<number> => {
      const response = await fetch(`${url}${path}`, { headers, redirect: 'manual' });
      await response.body?.cancel();
      return response.status;
    };
    const { id } = workspace;
    for (const path of [`/workspaces/${id}`, `/workspaces/${id}/shares`, `/workspaces/${id}/port-share`, `/workspaces/${id}/builds`]) {
      expect(await get(`/api/v2${path}`), path).toBe(404);
    }
    for (const path of ['', '/logs', '/listening-ports', '/watch-metadata']) {
      expect(await get(`/api/v2/workspaceagents/${agent.id}${path}`), path).toBe(404);
    }
    expect(await get(`/api/v2/workspaces/${id}/watch`)).toBe(404);
    expect(await get(live.appPath)).toBe(404);
    for (const path of ['/ssh', '/tcp?port=8080']) {
      const { outcome } = await upgrade(`${api}/workspaceagents/${agent.id}${path}`, headers);
      expect(outcome, path).toBe(404);
    }
    for (const path of [`/workspacebuilds/${live.build.id}/logs?follow`, `/workspaceagents/${agent.id}/logs?follow`]) {
      expect(await knockListening(`${api}${path}`, headers), path).toBe('1008');
    }
  });
});

describe('a share of the sight of one terminal', () => {
  it('only looks on at that one: what its user types or how large their window is goes nowhere', async () => {
    const terminal = newId();
    const { headers } = await recipient({ access: 'terminal_view', terminalId: terminal });
    for (const query of [
      `reconnect=${terminal}`,
      `reconnect=${newId()}&view=true`,
      `reconnect=${newId()}`,
      `reconnect=${terminal}&view=false`,
    ]) {
      expect((await pty(headers, query)).outcome, query).toBe(404);
    }
    const { outcome, socket } = await pty(headers, `reconnect=${terminal}&view=true`);
    expect(outcome).toBe('open');
    await expect.poll(() => fake.terminals).toContainEqual(expect.objectContaining({ id: terminal, isReadOnly: true }));
    socket.send(JSON.stringify({ data: 'by a viewer', width: 33, height: 11 }));
    socket.send('not JSON');
    // The answer to a ping comes after what was sent before it was taken.
    const pong = once(socket, 'pong');
    socket.ping();
    await pong;
    const own = await pty({ 'service-session-token': live.key });
    await typed(own.socket, 'by the owner');
    expect(fake.typed).toContain('by the owner');
    expect(fake.typed.join()).not.toContain('viewer');
    expect(socket.readyState).toBe(socket.OPEN);
    for (const each of [socket, own.socket]) each.terminate();
  });

  it('lets owners look on, too', async () => {
    const id = newId();
    const { outcome, socket } = await pty({ 'service-session-token': live.key }, `reconnect=${id}&view=true`);
    expect(outcome).toBe('open');
    await expect.poll(() => fake.terminals).toContainEqual(expect.objectContaining({ id, isReadOnly: true }));
    socket.terminate();
  });
});

describe('what is used by a share', () => {
  it('is in the audit log in the name of who came, and seen by the owner', async () => {
    const { headers, friend, share } = await recipient({ access: 'terminal' });
    const { socket } = await pty(headers);
    await typed(socket, 'hello');
    socket.terminate();
    const used = await server.prisma.auditLog.findMany({ where: { resourceId: workspace.id, userId: friend.id } });
    expect(used).toMatchObject([
      { resourceType: 'workspace', action: 'login', ip: '127.0.0.1', additionalFields: { share: 'used', share_id: share } },
    ]);
    const { shares } = await server.callAsUser(live.owner.id).workspaceShares.list({ workspace: workspace.id });
    expect(shares.find(({ id }) => id === share)?.last_used_at).not.toBeNull();
  });
});
