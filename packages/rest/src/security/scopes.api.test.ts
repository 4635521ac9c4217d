import { once } from 'node:events';
import type { ProcedureFacts } from '@berth/api/server';
import { procedureFacts } from '@berth/api/server';
import { PERMISSIONS, isPermission } from '@berth/api/testing';
import type { Permission } from '@berth/api/testing';
import { newId } from '@berth/core';
import { uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { listen, liveWorkspace, textOf, upgrade } from '../testing/live.ts';
import { outcomesOverBothDoors } from '../testing/matrix/call.ts';
import { createFixture } from '../testing/matrix/fixture.ts';
import { INPUTS } from '../testing/matrix/inputs/index.ts';

/**
 * The scope of a key really restricts: whatever its owner may do, a key without a permission does nothing that needs it. The strongest
 * key that must be refused is the one that lists every other permission.
 */
const server = await createTestServer();
const { url } = await listen(server);
const fixture = await createFixture(server);
const live = await liveWorkspace(server, url);
const owner = await live.rows.user({ siteRoles: ['owner'] });

/** A token of the deployment's owner, or of `userId`, that may do what `permissions` lists. */
async function limited(permissions: readonly Permission[], userId = owner.id): Promise<Record<string, string>> {
  const { tokens } = server.callAsUser(userId);
  const { key } = await tokens.create({ user: 'me', scope: 'limited', permissions: [...permissions], token_name: uniqueName('limited') });
  return { 'service-session-token': key };
}

const without = (...permissions: readonly Permission[]): Permission[] => PERMISSIONS.filter((known) => !permissions.includes(known));

/** Streams of lists, open to everyone: each item is asked about on its own, so they stay silent. */
const SILENT = new Set(['audit.watch', 'workspaces.watchList']);

const procedures = procedureFacts().flatMap((facts): { facts: ProcedureFacts; permission: Permission }[] => {
  const { permission } = facts.meta;
  return permission !== undefined && isPermission(permission) && facts.path in INPUTS && !SILENT.has(facts.path)
    ? [{ facts, permission }]
    : [];
});

describe('a key with every permission but one', () => {
  for (const { facts, permission } of procedures) {
    it(`is refused ${facts.path}, which needs ${permission}, on both doors`, async () => {
      const headers = await limited(without(permission));
      const { rpc, rest } = await outcomesOverBothDoors(server, facts, { headers, input: () => INPUTS[facts.path]?.(fixture) ?? {} });
      expect(['403', '404', 'none']).toContain(rpc);
      expect(rest ?? rpc).toBe(rpc);
    });
  }
});

describe('a key that lists every permission', () => {
  it('does what its owner does', async () => {
    const headers = { all: { 'service-session-token': await server.keyOf(owner.id) }, limited: await limited(PERMISSIONS) };
    for (const { facts } of procedures.filter(({ facts: { type } }) => type === 'query')) {
      const outcome = async (name: keyof typeof headers) =>
        await outcomesOverBothDoors(server, facts, { headers: headers[name], input: () => INPUTS[facts.path]?.(fixture) ?? {} });
      expect(await outcome('limited'), facts.path).toEqual(await outcome('all'));
    }
  });
});

const terminal = (): string => `/api/v2/workspaceagents/${live.agent.id}/pty?reconnect=${newId()}`;
const status = async (path: string, headers: Record<string, string>, init: RequestInit = {}): Promise<number> => {
  const response = await fetch(`${url}${path}`, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) } });
  await response.body?.cancel();
  return response.status;
};
/** 200 for a socket that stays open. */
const socket = async (path: string, headers: Record<string, string>): Promise<number> => {
  const opened = await upgrade(`${url}${path}`, headers);
  opened.socket.terminate();
  return opened.outcome === 'open' ? 200 : opened.outcome;
};
const tar = new Uint8Array(1024);
const api = '/api/v2';

/** Every door that is not a procedure: what it needs, and how it answers to some headers. */
const DOORS: readonly [name: string, permission: Permission, open: (headers: Record<string, string>) => Promise<number>][] = [
  ['a terminal', 'workspace:ssh', (headers) => socket(terminal(), headers)],
  ['an app', 'workspace:application_connect', (headers) => status(live.appPath, headers)],
  [
    'an upload',
    'file:create',
    (headers) => status(`${api}/files`, headers, { method: 'POST', body: tar, headers: { 'content-type': 'application/x-tar' } }),
  ],
];

describe('a door that is not a procedure', () => {
  it.each(DOORS)('such as %s opens for a key with %s, and for no key without it', async (_, permission, open) => {
    expect(await open(await limited([permission], live.owner.id))).toBeLessThan(300);
    expect(await open(await limited(without(permission), live.owner.id))).toBeGreaterThanOrEqual(400);
  });

  it('such as a log that is followed stays open for a key that may read, and is closed to one that may not', async () => {
    for (const path of [`/workspacebuilds/${live.build.id}/logs?follow`, `/workspaceagents/${live.agent.id}/logs?follow`]) {
      const read = await upgrade(`${url}${api}${path}`, await limited(['workspace:read'], live.owner.id));
      expect(read.outcome).toBe('open');
      const refused = await upgrade(`${url}${api}${path}`, await limited(without('workspace:read'), live.owner.id));
      if (refused.outcome === 'open') expect(await once(refused.socket, 'close')).not.toContain(1000);
      expect(read.socket.readyState).toBe(read.socket.OPEN);
      read.socket.terminate();
    }
  });

  it('such as a watch tells nothing to a key that may not read', async () => {
    for (const path of [`/workspaces/${live.workspace.id}/watch`, `/workspaceagents/${live.agent.id}/watch-metadata`]) {
      const response = await fetch(`${url}${api}${path}`, { headers: await limited(without('workspace:read'), live.owner.id) });
      const text = await response.text();
      expect(text).not.toContain(live.workspace.name);
      expect(response.status >= 400 || text.includes('event: error'), path).toBe(true);
    }
  });

  it('such as the raw state of a build is not for a key that may not change templates', async () => {
    const accept = { accept: 'application/octet-stream' };
    const path = `${api}/workspacebuilds/${fixture.build.id}/state`;
    expect(await status(path, { ...(await limited(['template:update', 'template:read', 'workspace:read'])), ...accept })).toBe(200);
    expect([403, 404]).toContain(await status(path, { ...(await limited(without('template:update'))), ...accept }));
  });

  it('such as an export of the audit log is not for a key that may not read it', async () => {
    expect(await status(`${api}/audit/export`, await limited(['audit_log:read']))).toBe(200);
    expect(await status(`${api}/audit/export`, await limited(without('audit_log:read')))).toBe(403);
  });

  it('such as a subscription over a WebSocket is asked about with the scope of the key', async () => {
    const opened = await upgrade(`${url}/api/rpc`, await limited(without('workspace:read'), live.owner.id));
    expect(opened.outcome).toBe('open');
    const answer = new Promise<string>((resolve) => opened.socket.once('message', (data) => resolve(textOf(data))));
    opened.socket.send(
      JSON.stringify({ id: 1, method: 'subscription', params: { path: 'workspaces.watch', input: { workspace: live.workspace.id } } }),
    );
    expect(await answer).toContain('"httpStatus":404');
    opened.socket.terminate();
  });
});

describe('a download', () => {
  it('is not for a key that may not read files', async () => {
    const upload = await fetch(`${url}${api}/files`, {
      method: 'POST',
      body: tar,
      headers: { ...(await limited(['file:create'])), 'content-type': 'application/x-tar' },
    });
    const { hash } = (await upload.json()) as { hash: string };
    expect(await status(`${api}/files/${hash}`, await limited(['file:read']))).toBe(200);
    expect([403, 404]).toContain(await status(`${api}/files/${hash}`, await limited(without('file:read'))));
  });
});
