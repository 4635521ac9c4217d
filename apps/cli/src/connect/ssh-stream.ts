import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';

import { errorOf } from '@berth/client';
import { DomainError } from '@berth/core';
import { connectResumable } from '@berth/protocol/resumable';
import type { ResumableState } from '@berth/protocol/resumable';

import type { Session } from '../frame/connect.ts';
import { agentsOf } from '../frame/workspace-ref.ts';
import { openDoor } from './open-door.ts';
import type { ReadyAgent } from './ready-agent.ts';

/** A laptop that was closed for lunch goes on; after that the other end has given up too. */
const GIVE_UP_MS = 60 * 60_000;
/** What has never been connected is not waited for like that. */
const FIRST_MS = 45_000;

/** Bytes to the SSH server of a workspace. Goes on after restarts of the server and breaks of the network, and ends with the workspace. */
export function sshStream(
  session: Session,
  { workspace, agent }: ReadyAgent,
  { onState }: { readonly onState?: (state: ResumableState) => void } = {},
): Duplex {
  const path = `/api/v2/workspaceagents/${agent.id}/ssh?stream=${randomUUID()}`;
  let attempts = 0;
  let lastError: Error | undefined;
  const stream = connectResumable({
    giveUpAfterMs: GIVE_UP_MS,
    dial: async (signal) => {
      attempts += 1;
      if (attempts > 1) await requireStillThere(session, { workspace, agent });
      return openDoor(session, path, signal);
    },
    onState: (state) => {
      if (state.kind === 'open') clearTimeout(impatience);
      else lastError = state.error ?? lastError;
      onState?.(state);
    },
  });
  const impatience = setTimeout(() => stream.destroy(lastError ?? new Error(`${workspace.name} does not answer.`)), FIRST_MS);
  stream.once('close', () => clearTimeout(impatience));
  return stream;
}

/** Why a connection has ended, in a sentence: with the state of its workspace when that is the reason. */
export async function whyEnded(session: Session, ready: ReadyAgent, error: Error): Promise<Error> {
  if (error instanceof DomainError && error.kind !== 'unavailable') return error;
  try {
    await requireStillThere(session, ready);
    return error;
  } catch (cause) {
    return cause instanceof DomainError ? cause : error;
  }
}

const FINAL = ['unauthenticated', 'forbidden', 'not_found'] as const;

/** @throws DomainError that ends the connection for good: with a sentence when the workspace does not run any more. */
async function requireStillThere({ client }: Session, { workspace: { id, name }, agent }: ReadyAgent): Promise<void> {
  const now = await client.workspaces.get.query({ workspace: id }).catch((error: unknown) => {
    const { kind, message } = errorOf(error);
    const final = FINAL.find((one) => one === kind);
    throw final === undefined ? error : new DomainError(final, message);
  });
  const { status } = now.latest_build;
  if (status !== 'running') throw new DomainError('conflict', `The workspace ${name} is ${status}, so the connection has ended.`);
  if (!agentsOf(now).some(({ id: known }) => known === agent.id)) {
    throw new DomainError('conflict', `The workspace ${name} was restarted, so the connection has ended.`);
  }
}
