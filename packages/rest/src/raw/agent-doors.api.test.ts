import { once } from 'node:events';
import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { listen, refusedUpgrade, textOf, upgrade } from '../testing/live.ts';

const server = await createTestServer();
const { app, prisma, rest, keyOf, clock } = server;
const { url } = await listen(server);
const rows = given(prisma);

const EXTERNAL = '3b579bf4-1ed8-4b99-87a8-e9a1e3410410';
const KIBIBYTES_64 = 'x'.repeat(64 * 1024);

async function someAgent() {
  const made = await rows.workspace({ status: 'running' });
  const { agent, token } = await rows.agent({ jobId: made.job.id, scripts: [{ script: 'true', displayName: 'setup' }] });
  const own = await prisma.workspaceAgentLogSource.findFirstOrThrow({ where: { agentId: agent.id } });
  const key = await keyOf(made.owner.id);
  const post = (body: unknown) => rest({ method: 'POST', path: '/workspaceagents/me/log-source', key: token, body });
  const patch = (body: unknown) => rest({ method: 'PATCH', path: '/workspaceagents/me/logs', key: token, body });
  const logs = async () => (await rest({ method: 'GET', path: `/workspaceagents/${agent.id}/logs`, key })).body;
  const read = async () => (await rest({ method: 'GET', path: `/workspaceagents/${agent.id}`, key })).body;
  return { ...made, agent, token, own, key, post, patch, logs, read };
}

/** The same procedure by the typed door. */
async function rpc(token: string, name: string, input: unknown) {
  const response = await app.inject({
    method: 'POST',
    url: `/api/rpc/agentApi.${name}`,
    headers: { 'service-session-token': token, 'content-type': 'application/json' },
    payload: JSON.stringify(input),
  });
  return { status: response.statusCode, body: response.json<unknown>() };
}

describe('a log source of a program', () => {
  it('is known by the id that the program chose, however often it is named, and stands on the agent', async () => {
    const { agent, token, post, read } = await someAgent();
    const id = newId();
    const made = await post({ id, display_name: 'Image builder', icon: '/icon/hammer.svg' });
    expect(made).toMatchObject({
      status: 200,
      body: { id, workspace_agent_id: agent.id, display_name: 'Image builder', icon: '/icon/hammer.svg' },
    });
    expect(await post({ id, display_name: 'Another name' })).toEqual(expect.objectContaining({ status: 200, body: made.body }));
    expect(await rpc(token, 'createLogSource', { id, display_name: 'x' })).toMatchObject({
      status: 200,
      body: { result: { data: made.body } },
    });
    expect(await read()).toMatchObject({
      log_sources: expect.arrayContaining([expect.objectContaining({ id, display_name: 'Image builder' })]),
    });
  });

  it('of one agent says nothing about another’s of the same id', async () => {
    const [one, other] = [await someAgent(), await someAgent()];
    const id = newId();
    expect((await one.post({ id, display_name: 'One' })).status).toBe(200);
    expect(await other.post({ id, display_name: 'Other' })).toMatchObject({
      status: 200,
      body: { workspace_agent_id: other.agent.id, display_name: 'Other' },
    });
    expect(await one.patch({ log_source_id: other.own.id, logs: [{ output: 'x' }] })).toMatchObject({
      status: 400,
      body: { validations: [{ field: 'log_source_id' }] },
    });
  });

  it('is checked, and there are so many at most', async () => {
    const { agent, post } = await someAgent();
    for (const body of [
      {},
      { id: 'x', display_name: 'x' },
      { id: newId(), display_name: '' },
      { id: '00000000-0000-0000-0000-000000000000', display_name: 'x' },
      { id: newId(), display_name: 'x', icon: 'x'.repeat(1025) },
    ]) {
      expect((await post(body)).status, JSON.stringify(body)).toBe(400);
    }
    await prisma.workspaceAgentLogSource.createMany({
      data: Array.from({ length: 319 }, () => ({ id: newId(), agentId: agent.id, displayName: 'x' })),
    });
    expect(await post({ id: newId(), display_name: 'one too many' })).toMatchObject({ status: 400 });
  });

  it('is for agents only, by both doors', async () => {
    const { key, token } = await someAgent();
    const body = { id: newId(), display_name: 'x' };
    for (const credential of [undefined, key, newId()]) {
      expect((await rest({ method: 'POST', path: '/workspaceagents/me/log-source', key: credential, body })).status).toBe(401);
      expect(
        (await rest({ method: 'PATCH', path: '/workspaceagents/me/logs', key: credential, body: { logs: [{ output: 'x' }] } })).status,
      ).toBe(401);
    }
    expect((await rpc(key, 'createLogSource', body)).status).toBe(401);
    expect((await rpc(token, 'createLogSource', body)).status).toBe(200);
  });
});

describe('lines of a program', () => {
  it('are kept in order, with its level and time, in the source that it names', async () => {
    const { own, patch, logs } = await someAgent();
    const at = new Date(clock.now().getTime() - 60_000).toISOString();
    const later = new Date(clock.now().getTime() + 60_000).toISOString();
    const answer = await patch({
      log_source_id: own.id,
      logs: [{ created_at: at, level: 'warn', output: 'one' }, { output: 'two' }, { created_at: later, output: 'three' }],
    });
    expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String), detail: '', validations: [] } });
    expect(await logs()).toMatchObject([
      { output: 'one', level: 'warn', source_id: own.id },
      { output: 'two', level: 'info' },
      { output: 'three', level: 'info' },
    ]);
    const stored = await prisma.workspaceAgentLog.findMany({ where: { logSourceId: own.id }, orderBy: { id: 'asc' } });
    expect(stored.map(({ createdAt }) => createdAt.toISOString())).toEqual([at, clock.now().toISOString(), clock.now().toISOString()]);
  });

  it('without a source go to the one that is called External', async () => {
    const [one, other] = [await someAgent(), await someAgent()];
    for (const { patch, logs, read } of [one, other]) {
      expect((await patch({ logs: [{ output: 'first' }] })).status).toBe(200);
      expect((await patch({ log_source_id: '00000000-0000-0000-0000-000000000000', logs: [{ output: 'second' }] })).status).toBe(200);
      expect(await logs()).toMatchObject([
        { output: 'first', source_id: EXTERNAL },
        { output: 'second', source_id: EXTERNAL },
      ]);
      expect(await read()).toMatchObject({
        log_sources: expect.arrayContaining([
          expect.objectContaining({ id: EXTERNAL, display_name: 'External', icon: '/emojis/1f310.png' }),
        ]),
      });
    }
  });

  it('that would not fit are refused as a whole, and the agent’s log takes no more', async () => {
    const { token, own, patch, logs, read } = await someAgent();
    const full = { log_source_id: own.id, logs: Array.from({ length: 16 }, () => ({ output: KIBIBYTES_64 })) };
    expect((await patch({ log_source_id: own.id, logs: [{ output: 'small' }] })).status).toBe(200);
    expect((await patch(full)).status).toBe(413);
    expect(await logs()).toMatchObject([{ output: 'small' }]);
    expect(await read()).toMatchObject({ logs_length: 5, logs_overflowed: true });
    expect((await patch({ log_source_id: own.id, logs: [{ output: 'small' }] })).status).toBe(413);
    expect((await rpc(token, 'appendLogs', { logs: [{ output: 'small' }] })).status).toBe(413);
  });

  it('fill the space to its last byte', async () => {
    const { own, patch, read } = await someAgent();
    expect((await patch({ log_source_id: own.id, logs: Array.from({ length: 16 }, () => ({ output: KIBIBYTES_64 })) })).status).toBe(200);
    expect(await read()).toMatchObject({ logs_length: 1024 * 1024, logs_overflowed: false });
  });

  it('are checked: none, a level that nobody knows, a line without an end', async () => {
    const { patch } = await someAgent();
    for (const body of [
      {},
      { logs: [] },
      { logs: [{ level: 'loud', output: 'x' }] },
      { logs: [{ output: `${KIBIBYTES_64}x` }] },
      { logs: [{ output: 7 }] },
      { log_source_id: newId(), logs: [{ output: 'x' }] },
      { logs: Array.from({ length: 5001 }, () => ({ output: '' })) },
    ]) {
      expect((await patch(body)).status, JSON.stringify(body).slice(0, 80)).toBe(400);
    }
  });
});

describe('the door of agents', () => {
  const path = '/api/v2/workspaceagents/me/rpc';

  it.each(['', '?version=1.0', '?version=1.0&version=1.0'])('serves the typed procedures to an agent that asks for "%s"', async (query) => {
    const { agent, token } = await someAgent();
    const { outcome, socket } = await upgrade(`${url}${path}${query}`, { 'service-session-token': token });
    expect(outcome).toBe('open');
    socket.send(JSON.stringify({ id: 1, method: 'query', params: { path: 'agentApi.manifest', input: {} } }));
    const [answer] = await once(socket, 'message');
    expect(JSON.parse(textOf(answer))).toMatchObject({ id: 1, result: { data: { agent_id: agent.id } } });
    socket.terminate();
  });

  it.each(['2.0', '1.1', '0.9', '1', '1.0.0', 'v1.0', '1.x', '', ' 1.0', '99999999.0'])(
    'refuses version "%s" by its field',
    async (version) => {
      const { token } = await someAgent();
      const headers = { 'service-session-token': token };
      const { status, body } = await refusedUpgrade(`${url}${path}?version=${encodeURIComponent(version)}`, headers);
      expect([status, body]).toMatchObject([400, { message: 'Unknown or unsupported API version', validations: [{ field: 'version' }] }]);
      server.requireDocumented({ method: 'GET', path: '/workspaceagents/me/rpc', status, body });
    },
  );

  it('lets nobody else in: not without a token, not a user, not an agent whose build is over, not another site’s page', async () => {
    const { workspace, version, token, key } = await someAgent();
    const outcome = async (headers: Record<string, string>) => {
      const attempt = await upgrade(`${url}${path}?version=1.0`, headers);
      attempt.socket.terminate();
      return attempt.outcome;
    };
    expect(await outcome({})).toBe(401);
    expect(await outcome({ 'service-session-token': key })).toBe(401);
    expect(await outcome({ 'service-session-token': newId() })).toBe(401);
    expect(await outcome({ 'service-session-token': token, origin: 'https://evil.example.com' })).toBe(403);
    for (const transition of ['stop', 'start']) await rows.build({ workspace, templateVersionId: version.id, transition });
    expect(await outcome({ 'service-session-token': token })).toBe(401);
  });
});
