import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { AgentManifest } from '@berth/protocol/agent';
import type { PtyStream } from '@berth/protocol/tunnel';
import { onTestFinished } from 'vitest';

import { startAgent } from './agent.ts';
import { fakeServer } from './fake-server.ts';

/** A real agent beside a server that says what the test needs. */
export async function givenAgent(manifest: Partial<AgentManifest> = {}, inherited: Readonly<Record<string, string>> = {}) {
  const server = await fakeServer(manifest);
  const home = await mkdtemp(path.join(tmpdir(), 'berth-agent-test-'));
  const agent = startAgent({
    env: {
      url: server.url,
      token: 'agent-token',
      logDir: path.join(home, 'logs'),
      home,
      updates: false,
      updateSeconds: 0,
      inherited: { PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, SHELL: '/bin/bash', PS1: '$ ', ...inherited },
    },
    version: 'v0.0.0-test',
    log: () => undefined,
    pipesGraceMs: 300,
  });
  onTestFinished(async () => {
    await agent.stop();
    server.close();
    await rm(home, { recursive: true, force: true });
  });
  return { server, agent, home };
}

/** Reads until the text has come, and answers all that came before it. */
export async function readUntil(stream: PtyStream, wanted: string): Promise<string> {
  let seen = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const from = Math.max(0, seen.length - wanted.length);
    seen += String(chunk);
    if (seen.includes(wanted, from)) return seen;
  }
  throw new Error(`The terminal ended before "${wanted}"; it showed: ${seen}`);
}
