import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { procedureFacts } from '@berth/api/server';
import { createTestServer } from '../testing/index.ts';
import { createFixture } from '../testing/matrix/fixture.ts';
import { INPUTS } from '../testing/matrix/inputs/index.ts';
import { tableContents } from '../testing/tables.ts';

const server = await createTestServer();
const { app, prisma, rest } = server;
const rows = given(prisma);
const fixture = await createFixture(server);

async function someAgent() {
  const made = await rows.workspace();
  const { agent, token } = await rows.agent({
    jobId: made.job.id,
    connected: true,
    apps: [{ slug: 'web', url: 'http://localhost:1', health: 'initializing' }],
    scripts: [{ script: 'true', displayName: 'setup' }],
    metadata: [{ key: 'load', displayName: 'Load' }],
  });
  const source = await prisma.workspaceAgentLogSource.findFirstOrThrow({ where: { agentId: agent.id } });
  const script = await prisma.workspaceAgentScript.findFirstOrThrow({ where: { agentId: agent.id } });
  const webApp = await prisma.workspaceApp.findFirstOrThrow({ where: { agentId: agent.id } });
  return { ...made, agent, token, source, script, webApp, key: await server.keyOf(made.owner.id) };
}

async function report(token: string, name: string, input: object) {
  const response = await app.inject({
    method: 'POST',
    url: `/api/rpc/agentApi.${name}`,
    headers: { 'service-session-token': token, 'content-type': 'application/json' },
    payload: JSON.stringify(input),
  });
  return { status: response.statusCode, body: response.json<unknown>() };
}

const NOW = new Date().toISOString();
const HOSTILE = '\u001b]0;owned\u0007\u001b[31m<img src=x onerror=alert(1)></script><script>alert(1)</script>\u202e"\'`${7*7}\r\n';

describe('what an agent sends is data', () => {
  it('comes back as it was sent, as JSON that no browser reads as anything else', async () => {
    const { agent, token, key, source } = await someAgent();
    expect(
      (await report(token, 'reportLogs', { log_source_id: source.id, logs: [{ created_at: NOW, level: 'info', output: HOSTILE }] })).status,
    ).toBe(200);
    const metadata = { key: 'load', value: HOSTILE, error: HOSTILE, collected_at: NOW };
    expect((await report(token, 'reportMetadata', { metadata: [metadata] })).status).toBe(200);
    const logs = await rest({ method: 'GET', path: `/workspaceagents/${agent.id}/logs`, key });
    expect(logs.body).toMatchObject([{ output: HOSTILE }]);
    expect(logs.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' });
    expect(String(logs.headers['content-security-policy'])).toContain("default-src 'self'");
    const stored = await prisma.workspaceAgentMetadatum.findFirstOrThrow({ where: { agentId: agent.id } });
    expect(stored).toMatchObject({ value: HOSTILE, error: HOSTILE });
  });

  it('loses what text cannot hold, and is never refused for what a program printed', async () => {
    const { agent, token, key, source } = await someAgent();
    const logs = ['a\0b', '\ud800', '\0', ''].map((output) => ({ created_at: NOW, level: 'info', output }));
    expect((await report(token, 'reportLogs', { log_source_id: source.id, logs })).status).toBe(200);
    expect(
      (await report(token, 'reportMetadata', { metadata: [{ key: 'load', value: 'a\0\udfff', error: '\0', collected_at: NOW }] })).status,
    ).toBe(200);
    expect((await report(token, 'reportStartup', { version: 'v1.0.0', expanded_directory: '/home/\0x', subsystems: [] })).status).toBe(200);
    const { body } = await rest({ method: 'GET', path: `/workspaceagents/${agent.id}/logs`, key });
    expect(body).toMatchObject([{ output: 'ab' }, { output: '\ufffd' }, { output: '' }, { output: '' }]);
  });

  it('is bounded in each text, each list, and in all', async () => {
    const { agent, token, source } = await someAgent();
    const line = { created_at: NOW, level: 'info', output: 'x'.repeat(8 * 1024) };
    const refused: [string, object][] = [
      ['reportLogs', { log_source_id: source.id, logs: [{ ...line, output: `${line.output}x` }] }],
      ['reportLogs', { log_source_id: source.id, logs: Array.from({ length: 501 }, () => ({ ...line, output: '' })) }],
      ['reportLogs', { log_source_id: source.id, logs: [] }],
      ['reportMetadata', { metadata: [{ key: 'load', value: 'x'.repeat(2049), error: '', collected_at: NOW }] }],
      ['reportMetadata', { metadata: Array.from({ length: 129 }, () => ({ key: 'load', value: '', error: '', collected_at: NOW })) }],
      ['reportStartup', { version: 'v1.0.0', expanded_directory: 'x'.repeat(4097), subsystems: [] }],
      ['reportStartup', { version: '<script>', expanded_directory: '', subsystems: [] }],
    ];
    for (const [name, input] of refused) {
      expect((await report(token, name, input)).status, `${name} ${JSON.stringify(input).slice(0, 80)}`).toBe(400);
    }
    let calls = 0;
    let last: unknown;
    do {
      last = (await report(token, 'reportLogs', { log_source_id: source.id, logs: Array.from({ length: 100 }, () => line) })).body;
      calls += 1;
    } while (calls < 10 && !JSON.stringify(last).includes('"overflowed":true'));
    expect(calls).toBeLessThan(4);
    const [kept] = await prisma.$queryRaw<
      { bytes: number }[]
    >`SELECT sum(length(output))::int AS bytes FROM workspace_agent_logs WHERE agent_id = ${agent.id}::uuid`;
    expect(kept?.bytes).toBeLessThanOrEqual(1024 * 1024);
  });
});

describe('an agent', () => {
  it('writes no row of another agent, whatever ids it sends', async () => {
    const mine = await someAgent();
    const theirs = await someAgent();
    const before = await prisma.workspaceAgent.findUniqueOrThrow({ where: { id: theirs.agent.id } });
    expect(
      (await report(mine.token, 'reportLogs', { log_source_id: theirs.source.id, logs: [{ created_at: NOW, level: 'info', output: 'x' }] }))
        .status,
    ).toBe(400);
    const run = { started_at: NOW, ended_at: NOW, exit_code: 0, stage: 'start', status: 'ok' };
    expect((await report(mine.token, 'reportScript', { ...run, script_id: theirs.script.id })).status).toBe(400);
    expect((await report(mine.token, 'reportAppHealth', { updates: [{ id: theirs.webApp.id, health: 'healthy' }] })).status).toBe(200);
    const forged = { agent_id: theirs.agent.id, id: theirs.agent.id, workspace_id: theirs.workspace.id, workspaceagent: theirs.agent.id };
    await report(mine.token, 'reportLifecycle', { ...forged, state: 'off', changed_at: NOW });
    await report(mine.token, 'reportStartup', { ...forged, version: 'v6.6.6', expanded_directory: '/x', subsystems: [] });
    await report(mine.token, 'reportMetadata', { ...forged, metadata: [{ key: 'load', value: 'forged', error: '', collected_at: NOW }] });
    expect(await prisma.workspaceAgent.findUniqueOrThrow({ where: { id: theirs.agent.id } })).toEqual(before);
    expect(await prisma.workspaceApp.findUniqueOrThrow({ where: { id: theirs.webApp.id } })).toMatchObject({ health: 'initializing' });
    expect(await prisma.workspaceAgentLog.count({ where: { agentId: theirs.agent.id } })).toBe(0);
    expect(await prisma.workspaceAgentMetadatum.findFirstOrThrow({ where: { agentId: theirs.agent.id } })).toMatchObject({ value: '' });
    expect(await prisma.workspaceAgentScriptTiming.count({ where: { scriptId: theirs.script.id } })).toBe(0);
  });

  it('tells no lie about a time that is not yet', async () => {
    const { agent, token } = await someAgent();
    expect((await report(token, 'reportLifecycle', { state: 'ready', changed_at: '2999-01-01T00:00:00Z' })).status).toBe(200);
    expect(
      (await report(token, 'reportMetadata', { metadata: [{ key: 'load', value: '1', error: '', collected_at: '2999-01-01T00:00:00Z' }] }))
        .status,
    ).toBe(200);
    const soon = server.clock.now().getTime() + 1000;
    expect((await prisma.workspaceAgent.findUniqueOrThrow({ where: { id: agent.id } })).readyAt?.getTime()).toBeLessThan(soon);
    expect((await prisma.workspaceAgentMetadatum.findFirstOrThrow({ where: { agentId: agent.id } })).collectedAt?.getTime()).toBeLessThan(
      soon,
    );
  });
});

describe('a token', () => {
  const ofPeople = procedureFacts().filter(({ meta }) => !['public', 'agent', 'provisioner'].includes(meta.permission ?? ''));
  const ofAgents = procedureFacts().filter(({ meta }) => meta.permission === 'agent');
  const ofProvisioners = procedureFacts().filter(({ meta }) => meta.permission === 'provisioner');

  /** Called over tRPC, as header and as cookie. */
  async function statusesOf(procedures: typeof ofPeople, headers: Record<string, string>): Promise<Map<string, number>> {
    const statuses = new Map<string, number>();
    for (const { path, type } of procedures.filter((one) => one.type !== 'subscription')) {
      const input = JSON.stringify((await INPUTS[path]?.(fixture)) ?? {});
      const response =
        type === 'query'
          ? await app.inject({ url: `/api/rpc/${path}?input=${encodeURIComponent(input)}`, headers })
          : await app.inject({
              method: 'POST',
              url: `/api/rpc/${path}`,
              headers: { ...headers, 'content-type': 'application/json' },
              payload: input,
            });
      statuses.set(path, response.statusCode);
    }
    return statuses;
  }

  it('of an agent or a provisioner calls nothing that is for people, and the other way round', async () => {
    const owner = await rows.user({ siteRoles: ['owner'] });
    const key = await server.keyOf(owner.id);
    await app.inject({ url: '/api/v2/users/me', headers: { 'service-session-token': key } });
    const agent = { 'service-session-token': fixture.agentToken };
    const provisioner = { 'service-provisioner-key': server.services.settings.builtinProvisionerKey.reveal() };
    const user = { 'service-session-token': key };
    const cases: [typeof ofPeople, Record<string, string>][] = [
      [ofPeople, agent],
      [ofPeople, provisioner],
      [ofProvisioners, agent],
      [ofAgents, provisioner],
      [ofAgents, user],
      [ofProvisioners, user],
      [ofProvisioners, { 'service-session-token': server.services.settings.builtinProvisionerKey.reveal() }],
      [ofAgents, { 'service-provisioner-key': fixture.agentToken }],
    ];
    for (const [procedures, headers] of cases) {
      expect(procedures.length).toBeGreaterThan(3);
      for (const [path, status] of await statusesOf(procedures, headers)) {
        expect({ path, headers: Object.keys(headers), status }).toMatchObject({ path, status: 401 });
      }
    }
  });

  it('of an agent does not reach files, terminals, watches or apps', async () => {
    const headers = { 'service-session-token': fixture.agentToken };
    const id = newId();
    const before = await tableContents(prisma);
    for (const path of [
      `/files/${id}`,
      `/workspaces/${fixture.workspace.id}/watch`,
      `/workspaceagents/${fixture.agent.id}/watch-metadata`,
      `/workspacebuilds/${fixture.build.id}/logs`,
    ]) {
      expect((await app.inject({ url: `/api/v2${path}`, headers })).statusCode, path).toBe(401);
    }
    const upload = await app.inject({
      method: 'POST',
      url: '/api/v2/files',
      headers: { ...headers, 'content-type': 'application/x-tar' },
      payload: Buffer.alloc(1024),
    });
    expect(upload.statusCode).toBe(401);
    expect((await app.inject({ url: `/@${fixture.holder.username}/${fixture.workspace.name}/apps/web/`, headers })).statusCode).toBe(404);
    expect(await tableContents(prisma)).toEqual(before);
  });

  it('of a stopped or deleted workspace is nobody’s', async () => {
    const { token, workspace, version } = await someAgent();
    expect((await report(token, 'reportStats', {})).status).toBe(400);
    await rows.build({ workspace, templateVersionId: version.id, transition: 'stop' });
    expect((await report(token, 'reportStats', {})).status).toBe(401);
    const other = await someAgent();
    await prisma.workspace.update({ where: { id: other.workspace.id }, data: { deleted: true } });
    expect((await report(other.token, 'reportStats', {})).status).toBe(401);
  });
});
