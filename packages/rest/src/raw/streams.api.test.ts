import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { jobLogsChannel, workspaceChannel } from '@berth/api/server';
import { given } from '@berth/testing';
import { afterAll, describe, expect, it } from 'vitest';
import type { RawData } from 'ws';
import { WebSocket } from 'ws';
import { connectFakeAgent, startEchoApp } from '../testing/fake-agent.ts';
import { createTestServer } from '../testing/index.ts';

const server = await createTestServer();
const { prisma, app, keyOf } = server;
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
if (address === null || typeof address === 'string') throw new Error('not listening');
const url = `http://127.0.0.1:${address.port}`;
const rows = given(prisma);
const echo = await startEchoApp();
afterAll(() => void echo.server.close());

async function runningWorkspace() {
  const made = await rows.workspace();
  const { agent, token } = await rows.agent({
    jobId: made.job.id,
    apps: [{ slug: 'web', url: `http://localhost:${echo.port}/base`, sharingLevel: 'public' }],
  });
  return { ...made, agent, token, key: await keyOf(made.owner.id) };
}

function socketTo(path: string, headers: Record<string, string>): WebSocket {
  return new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
}

/** The status with which the door refused an upgrade. */
async function refusalOf(path: string, headers: Record<string, string>): Promise<number> {
  const socket = socketTo(path, headers);
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  response.destroy();
  return response.statusCode;
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}

/** Reads a socket until its text contains `end`. */
async function readUntil(socket: WebSocket, end: string): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    socket.on('message', (data) => {
      text += textOf(data);
      if (text.includes(end)) resolve(text);
    });
    socket.once('close', (code, reason) => reject(new Error(`closed ${code} ${String(reason)} after ${JSON.stringify(text)}`)));
  });
}

const terminalPath = (agentId: string, query = `reconnect=${crypto.randomUUID()}`): string =>
  `/api/v2/workspaceagents/${agentId}/pty?${query}`;

describe('a terminal', () => {
  it('carries input, output and sizes between a client and the agent, and closes normally when the shell ends', async () => {
    const { agent, token, key } = await runningWorkspace();
    const fake = await connectFakeAgent({ url, token });
    const reconnect = crypto.randomUUID();
    const socket = socketTo(terminalPath(agent.id, `reconnect=${reconnect}&width=120&height=40`), { 'service-session-token': key });
    const closed = once(socket, 'close');
    const text = readUntil(socket, 'HELLO');
    await once(socket, 'open');
    socket.send(Buffer.from('{"width": 99, "height": 33}'));
    socket.send(Buffer.from('{"data": "hello"}'));
    expect(await text).toBe('120x40 99x33 HELLO');
    expect(fake.terminals).toEqual([{ id: reconnect, width: 120, height: 40, command: '', isReadOnly: false }]);
    socket.send(Buffer.from('{"data": "exit"}'));
    const [code, reason] = await closed;
    expect(code).toBe(1000);
    expect(JSON.parse(String(reason))).toEqual({ message: 'The shell exited with code 0.', exit_code: 0, signal: null });
    await fake.disconnect();
  });

  it('takes what was typed before the shell was there', async () => {
    const { agent, token, key } = await runningWorkspace();
    const socket = socketTo(terminalPath(agent.id), { 'service-session-token': key });
    const text = readUntil(socket, 'EARLY');
    await once(socket, 'open');
    socket.send(Buffer.from('{"data": "early"}'));
    const fake = await connectFakeAgent({ url, token });
    expect(await text).toContain('EARLY');
    socket.terminate();
    await fake.disconnect();
  });

  it('is refused before the upgrade: 400 for bad queries, 401, 403 for another site, 404 for who may not see it', async () => {
    const { agent, key, organization } = await runningWorkspace();
    const own = { 'service-session-token': key };
    expect(await refusalOf(terminalPath(agent.id, 'reconnect=1'), own)).toBe(400);
    expect(await refusalOf(terminalPath(agent.id, `reconnect=${crypto.randomUUID()}&width=0`), own)).toBe(400);
    expect(await refusalOf(terminalPath('not-a-uuid'), own)).toBe(400);
    expect(await refusalOf(terminalPath(agent.id), {})).toBe(401);
    const colleague = await rows.user({ memberOf: [organization.id] });
    expect(await refusalOf(terminalPath(agent.id), { 'service-session-token': await keyOf(colleague.id) })).toBe(404);
    const templateAdmin = await rows.user({ siteRoles: ['template-admin'] });
    expect(await refusalOf(terminalPath(agent.id), { 'service-session-token': await keyOf(templateAdmin.id) })).toBe(403);
    expect(await refusalOf(terminalPath(agent.id), { cookie: `berth_session=${key}`, origin: 'https://evil.example.com' })).toBe(403);
  });
});

describe('an agent’s tunnel', () => {
  it('makes the agent connected while it lives', async () => {
    const { workspace, agent, token, key } = await runningWorkspace();
    const fake = await connectFakeAgent({ url, token });
    const status = async (): Promise<unknown> => {
      const answer = await server.rest({ method: 'GET', path: `/workspaceagents/${agent.id}`, key });
      return (answer.body as { status: string }).status;
    };
    await expect.poll(status).toBe('connected');
    const ports = await server.rest({ method: 'GET', path: `/workspaceagents/${agent.id}/listening-ports`, key });
    expect(ports.body).toEqual({ ports: [{ process_name: 'node', network: 'tcp', port: 8080 }], hidden: [] });
    await fake.disconnect();
    await expect.poll(status).toBe('disconnected');
    expect(workspace.id).toBeTruthy();
  });

  it('is refused without a token, with a user’s key, and with the token of an older build', async () => {
    const { workspace, version, token, key } = await runningWorkspace();
    const path = '/api/v2/workspaceagents/me/tunnel';
    expect(await refusalOf(path, {})).toBe(401);
    expect(await refusalOf(path, { 'service-session-token': key })).toBe(401);
    for (const transition of ['stop', 'start']) await rows.build({ workspace, templateVersionId: version.id, transition });
    expect(await refusalOf(path, { 'service-session-token': token })).toBe(401);
  });
});

describe('a path app', () => {
  async function visit(path: string, headers: Record<string, string>, init: RequestInit = {}): Promise<Response> {
    return fetch(`${url}${path}`, { redirect: 'manual', ...init, headers });
  }

  it('gets the request through the tunnel without the visitor’s credentials, and may not set our cookies', async () => {
    const { owner, workspace, token, key } = await runningWorkspace();
    const fake = await connectFakeAgent({ url, token });
    const path = `/@${owner.username}/${workspace.name}/apps/web/deep/link?q=1`;
    const response = await visit(
      path,
      {
        'service-session-token': key,
        cookie: `mine=1; berth_session=${key}; berth_csrf=x`,
        'content-type': 'text/plain',
      },
      { method: 'POST', body: 'hello' },
    );
    expect(response.status).toBe(201);
    const cookies = response.headers.getSetCookie().filter((cookie) => !cookie.startsWith('berth_app_token='));
    expect(cookies).toEqual(['theirs=1']);
    const seen = (await response.json()) as { headers: Record<string, string> };
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/base/deep/link?q=1',
      body: 'hello',
      headers: { cookie: 'mine=1', 'x-forwarded-host': new URL(url).host },
    });
    expect(Object.keys(seen.headers)).not.toContain('service-session-token');
    expect(JSON.stringify(seen)).not.toContain(key);
    await fake.disconnect();
  });

  it('gets a trailing slash, so that its relative links work', async () => {
    const { owner, workspace, key } = await runningWorkspace();
    const response = await visit(`/@${owner.username}/${workspace.name}/apps/web?x=1`, { 'service-session-token': key });
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe(`/@${owner.username}/${workspace.name}/apps/web/?x=1`);
  });

  it('is for its owner only: others get 404, browsers without a session the sign-in page', async () => {
    const { owner, workspace } = await runningWorkspace();
    const path = `/@${owner.username}/${workspace.name}/apps/web/`;
    const siteOwner = await rows.user({ siteRoles: ['owner'] });
    expect((await visit(path, { 'service-session-token': await keyOf(siteOwner.id) })).status).toBe(404);
    expect((await visit(path, {})).status).toBe(401);
    // Not by fetch, which says of itself that it opens no page.
    const [browser] = await once(httpRequest(`${url}${path}`, { headers: { accept: 'text/html' } }).end(), 'response');
    browser.destroy();
    expect(browser.statusCode).toBe(303);
    expect(browser.headers.location).toBe(`/login?redirect=${encodeURIComponent(path)}`);
  });

  it('without an agent says so with 502', async () => {
    const { owner, workspace, key } = await runningWorkspace();
    expect((await visit(`/@${owner.username}/${workspace.name}/apps/web/`, { 'service-session-token': key })).status).toBe(502);
  });

  it('upgrades both ways for its owner, and not for a page of another site', async () => {
    const { owner, workspace, token, key } = await runningWorkspace();
    const fake = await connectFakeAgent({ url, token });
    const upgrade = (headers: Record<string, string>) =>
      httpRequest(`${url}/@${owner.username}/${workspace.name}/apps/web/socket`, {
        headers: { connection: 'Upgrade', upgrade: 'echo', cookie: `berth_session=${key}`, ...headers },
      }).end();
    const [, socket] = await once(upgrade({}), 'upgrade');
    socket.write('ping');
    const [chunk] = await once(socket, 'data');
    expect(String(chunk)).toBe('ping');
    socket.destroy();
    const [refused] = await once(upgrade({ origin: 'https://evil.example.com' }), 'response');
    expect(refused.statusCode).toBe(403);
    refused.destroy();
    await fake.disconnect();
  });
});

describe('a log', () => {
  it('followed over WebSocket starts after the given line, goes on live, and closes normally when the job has ended', async () => {
    const { workspace, version, key } = await runningWorkspace();
    const { build, job } = await rows.build({ workspace, templateVersionId: version.id, status: 'running' });
    const line = (output: string) =>
      prisma.provisionerJobLog.create({ data: { jobId: job.id, source: 'provisioner', level: 'info', stage: 'apply', output } });
    const first = await line('one');
    await line('two');
    const socket = socketTo(`/api/v2/workspacebuilds/${build.id}/logs?follow&after=${first.id}`, { 'service-session-token': key });
    const closed = once(socket, 'close');
    const lines: string[] = [];
    socket.on('message', (data) => lines.push(JSON.parse(textOf(data)).output));
    await expect.poll(() => lines).toEqual(['two']);
    await line('three');
    await prisma.provisionerJob.update({ where: { id: job.id }, data: { completedAt: new Date() } });
    await server.bus.publish(prisma, jobLogsChannel, { job_id: job.id });
    expect((await closed)[0]).toBe(1000);
    expect(lines).toEqual(['two', 'three']);
  });

  it('followed as server-sent events goes on after the last one that the client saw, and ends with the job', async () => {
    const { workspace, version, key } = await runningWorkspace();
    const { build, job } = await rows.build({ workspace, templateVersionId: version.id, status: 'running' });
    const line = (output: string) =>
      prisma.provisionerJobLog.create({ data: { jobId: job.id, source: 'provisioner', level: 'info', stage: 'Plan', output } });
    const first = await line('one');
    const second = await line('two');
    await prisma.provisionerJob.update({ where: { id: job.id }, data: { completedAt: new Date() } });
    const path = `${url}/api/v2/workspacebuilds/${build.id}/logs?follow`;
    const accept = { accept: 'text/event-stream', 'service-session-token': key };
    const all = await (await fetch(path, { headers: accept })).text();
    expect(all.match(/^id: \d+$/gm)).toEqual([`id: ${first.id}`, `id: ${second.id}`]);
    const rest = await (await fetch(path, { headers: { ...accept, 'last-event-id': String(first.id) } })).text();
    expect(rest.match(/^id: \d+$/gm)).toEqual([`id: ${second.id}`]);
    const stranger = await keyOf((await rows.user()).id);
    expect((await fetch(path, { headers: { ...accept, 'service-session-token': stranger } })).status).toBe(404);
    expect((await fetch(path, { headers: { ...accept, 'last-event-id': 'none' } })).status).toBe(400);
  });

  it('of a dry run is followed by whoever began it, and the door refuses everyone else before the upgrade', async () => {
    const { owner, version, key } = await runningWorkspace();
    const path = `/api/v2/templateversions/${version.id}/dry-run`;
    const begun = await server.callAsUser(owner.id).templateVersions.createDryRun({ templateversion: version.id });
    const line = (output: string) =>
      prisma.provisionerJobLog.create({ data: { jobId: begun.id, source: 'provisioner', level: 'info', stage: 'plan', output } });
    const first = await line('one');
    const socket = socketTo(`${path}/${begun.id}/logs?follow&after=${first.id}`, { 'service-session-token': key });
    const closed = once(socket, 'close');
    const lines: string[] = [];
    socket.on('message', (data) => lines.push(JSON.parse(textOf(data)).output));
    await once(socket, 'open');
    await line('two');
    await prisma.provisionerJob.update({ where: { id: begun.id }, data: { completedAt: new Date() } });
    await server.bus.publish(prisma, jobLogsChannel, { job_id: begun.id });
    expect((await closed)[0]).toBe(1000);
    expect(lines).toEqual(['two']);
    expect(await refusalOf(`${path}/none/logs?follow`, { 'service-session-token': key })).toBe(400);
    expect(await refusalOf(`${path}/${begun.id}/logs?follow`, {})).toBe(401);
  });

  it('without an upgrade is a JSON array', async () => {
    const { build, key } = await runningWorkspace();
    expect(await server.rest({ method: 'GET', path: `/workspacebuilds/${build.id}/logs`, key })).toMatchObject({ status: 200, body: [] });
  });
});

describe('a watched workspace', () => {
  it('is sent whole at once and on each change, as server-sent events', async () => {
    const { workspace, key } = await runningWorkspace();
    const abort = new AbortController();
    const response = await fetch(`${url}/api/v2/workspaces/${workspace.id}/watch`, {
      headers: { 'service-session-token': key },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    let text = '';
    void (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    const events = (): string[] => text.split('\n\n').filter((event) => event.startsWith('event: data'));
    await expect.poll(() => events().length).toBe(1);
    expect(text.startsWith('event: ping\n\n')).toBe(true);
    expect(JSON.parse(events()[0]?.split('data: ')[1] ?? '')).toMatchObject({ id: workspace.id, name: workspace.name });
    await prisma.workspace.update({ where: { id: workspace.id }, data: { favorite: true } });
    await server.bus.publish(prisma, workspaceChannel, { workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'workspace' });
    await expect.poll(() => events().length, { timeout: 5000 }).toBe(2);
    expect(events()[1]).toContain('"favorite":true');
    abort.abort();
  });

  it('is not sent again to who comes back with the state that it has, and its next change is', async () => {
    const { workspace, key } = await runningWorkspace();
    const watch = async (seen: string) => {
      const abort = new AbortController();
      const response = await fetch(`${url}/api/v2/workspaces/${workspace.id}/watch`, {
        headers: { 'service-session-token': key, ...(seen === '' ? {} : { 'last-event-id': seen }) },
        signal: abort.signal,
      });
      const heard = { text: '' };
      void (async () => {
        for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString();
      })().catch(() => undefined);
      return { heard, leave: () => abort.abort(), states: () => heard.text.split('event: data').slice(1) };
    };
    const stateOf = (event = ''): string => /id: (\S+)/.exec(event)?.[1] ?? '';
    const first = await watch('');
    await expect.poll(() => first.states().length).toBe(1);
    first.leave();
    const seen = stateOf(first.states()[0]);
    const again = await watch(seen);
    await expect.poll(() => again.heard.text).toContain('event: ping');
    await prisma.workspace.update({ where: { id: workspace.id }, data: { favorite: true } });
    await server.bus.publish(prisma, workspaceChannel, { workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'workspace' });
    await expect.poll(() => again.states().length, { timeout: 5000 }).toBe(1);
    expect(again.states()[0]).toContain('"favorite":true');
    again.leave();
    // What changed while nobody listened is said at once.
    const late = await watch(seen);
    await expect.poll(() => late.states().length).toBe(1);
    expect(stateOf(late.states()[0])).toBe(stateOf(again.states()[0]));
    late.leave();
  });

  it('that the caller may not read is 404 as JSON', async () => {
    const { workspace } = await runningWorkspace();
    const stranger = await keyOf((await rows.user()).id);
    const response = await fetch(`${url}/api/v2/workspaces/${workspace.id}/watch`, { headers: { 'service-session-token': stranger } });
    expect(response.status).toBe(404);
    expect(await response.json()).toHaveProperty('message');
  });
});
