import { AGENT_LIMITS } from '@berth/protocol/agent';
import type { AgentMetadataDescription, AgentMetadataResult } from '@berth/protocol/agent';

import type { Log } from './log.ts';
import { runCommand } from './run-command.ts';
import type { Session } from './session.ts';
import { now, pause } from './timing.ts';
import type { Workspace } from './workspace.ts';

const REPORT_EVERY_MS = 1000;
/** After a refusal; what is newest then is sent. */
const REFUSED_MS = 30_000;
const OUTPUT_MAX_BYTES = 10 * 1024;
const DEFAULT_TIMEOUT_S = 3;

export interface MetadataOptions {
  readonly descriptions: readonly AgentMetadataDescription[];
  readonly workspace: Workspace;
  readonly session: Pick<Session, 'deliver'>;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly reportEveryMs?: number;
}

/** Collects each key at once and then at its interval, until the signal fires. Of several values of a key only the newest is reported. Resolves when nothing is collected any more. */
export async function collectMetadata(options: MetadataOptions): Promise<void> {
  const { descriptions, signal } = options;
  const latest = new Map<string, AgentMetadataResult>();
  const { promise: first, resolve: onFirst } = Promise.withResolvers<void>();
  const collectors = descriptions.map(async (description) => {
    while (!signal.aborted) {
      const began = performance.now();
      latest.set(description.key, await collect(description, options));
      onFirst();
      if (description.interval === 0) return;
      await pause(Math.max(0, description.interval * 1000 - (performance.now() - began)), signal);
    }
  });
  if (collectors.length > 0) void first.then(() => report(latest, options));
  await Promise.all(collectors);
}

async function report(latest: Map<string, AgentMetadataResult>, options: MetadataOptions): Promise<void> {
  const { session, log, signal, reportEveryMs = REPORT_EVERY_MS } = options;
  while (!signal.aborted) {
    const metadata = [...latest.values()].slice(0, AGENT_LIMITS.metadataKeysMax);
    latest.clear();
    if (metadata.length > 0) {
      try {
        await session.deliver((api, limit) => api.reportMetadata.mutate({ metadata }, { signal: limit }));
      } catch (error) {
        if (signal.aborted) return;
        log('warn', 'Metadata could not be reported', error);
        await pause(REFUSED_MS, signal);
      }
    }
    await pause(reportEveryMs, signal);
  }
}

async function collect(description: AgentMetadataDescription, { workspace, signal }: MetadataOptions): Promise<AgentMetadataResult> {
  const { key, script, interval } = description;
  const timeout = description.timeout || interval || DEFAULT_TIMEOUT_S;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { exitCode, status } = await runCommand({
    workspace,
    script,
    timeoutMs: timeout * 1000,
    pipesGraceMs: 1000,
    signal,
    onOutput: (chunk) => {
      if (bytes < OUTPUT_MAX_BYTES) chunks.push(chunk.subarray(0, OUTPUT_MAX_BYTES - bytes));
      bytes += chunk.length;
    },
  });
  const output = Buffer.concat(chunks).toString('utf8').trimEnd();
  const value = cutBytes(output, AGENT_LIMITS.metadataValueMax);
  return { key, value, error: errorText({ exitCode, status, timeout, isCut: value !== output }), collected_at: now() };
}

interface Outcome {
  readonly exitCode: number;
  readonly status: string;
  readonly timeout: number;
  readonly isCut: boolean;
}

function errorText({ exitCode, status, timeout, isCut }: Outcome): string {
  if (status === 'timed_out') return `The script took more than ${timeout} s.`;
  if (status === 'exit_failure') return `The script ended with exit code ${exitCode}.`;
  return isCut ? `The value is longer than ${AGENT_LIMITS.metadataValueMax} bytes and was cut.` : '';
}

/** The longest beginning of the text that has at most `max` bytes and no half character. */
function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  let end = max;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}
