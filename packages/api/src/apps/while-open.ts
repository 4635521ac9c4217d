import { authChannel, templateChannel, workspaceChannel, workspaceSharesChannel } from '../kernel/channels.ts';
import type { Principal, Services } from '../kernel/context.ts';
import type { AppFacts } from './app-facts.ts';
import { readAppFacts } from './app-facts.ts';
import type { AppRequest } from './app-request.ts';
import type { Grant } from './grant.ts';
import { grantFor } from './grant.ts';

/** Credentials expire and news can be lost; whoever is still connected is asked about again this often. */
const ASK_AGAIN_MS = 60_000;

export interface OpenConnection {
  readonly request: AppRequest;
  readonly facts: AppFacts;
  readonly principal: Principal;
  readonly grant: Grant;
  /** Asks anew who it is that came. */
  readonly authenticate: () => Promise<Principal>;
  /** Of the visitor: aborted when they leave. */
  readonly signal: AbortSignal;
}

/**
 * A signal for a connection to an app: aborted at once when nothing lets its visitor in any more, whether that was a right, the app's being
 * open to everybody, or a share; and when the workspace is stopped, built anew or deleted. Asks once at its beginning, since news may have
 * come before anybody listened. It is over when `signal` is.
 */
export function whileAppOpen(services: Services, connection: OpenConnection): AbortSignal {
  const { request, principal, authenticate, signal } = connection;
  const { bus, clock, log } = services;
  const lost = new AbortController();
  let { facts, grant } = connection;
  let isAsking = false;
  let isAskedAgain = false;
  let expiry: NodeJS.Timeout | undefined;

  const mayGoOn = async (at: Date): Promise<boolean> => {
    const now = await authenticate();
    const current = await readAppFacts(services, facts.agentId, request.target);
    const given = current === null ? null : await grantFor(services, { principal: now, request, facts: current });
    if (current === null || given === null || (given.by === 'share' && given.share.expiresAt <= at)) return false;
    facts = current;
    grant = given;
    endWithShare();
    return true;
  };
  const ask = (at = clock.now()): void => {
    // News come in bursts: what comes while an answer is on its way is asked about once more, together.
    if (isAsking) {
      isAskedAgain = true;
      return;
    }
    isAsking = true;
    mayGoOn(at)
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a connection to an app ends: nobody could say whether it may go on');
        return false;
      })
      .then((isOpen) => {
        isAsking = false;
        const isNext = isAskedAgain && !signal.aborted;
        isAskedAgain = false;
        if (!isOpen) lost.abort();
        else if (isNext) ask();
      })
      .catch(() => lost.abort());
  };
  const endWithShare = (): void => {
    clearTimeout(expiry);
    if (grant.by !== 'share' || signal.aborted) return;
    const { expiresAt } = grant.share;
    const millis = Math.max(0, expiresAt.getTime() - clock.now().getTime());
    // What lies further away than the next turn of the timer is seen then.
    if (millis > ASK_AGAIN_MS) return;
    expiry = setTimeout(() => ask(expiresAt), millis);
    expiry.unref();
  };

  const mine = new Set(principal.kind === 'user' ? [principal.userId, facts.ownerId] : [facts.ownerId]);
  const off = [
    bus.subscribe(authChannel, ({ user_id }) => {
      if (mine.has(user_id) || (grant.by === 'share' && grant.share.createdById === user_id)) ask();
    }),
    bus.subscribe(workspaceChannel, ({ workspace_id }) => {
      if (workspace_id === facts.workspaceId) ask();
    }),
    bus.subscribe(workspaceSharesChannel, ({ workspace_id }) => {
      if (workspace_id === facts.workspaceId) ask();
    }),
    bus.subscribe(templateChannel, ({ template_id }) => {
      if (template_id === facts.templateId) ask();
    }),
    bus.onReconnect(() => ask()),
  ];
  const timer = setInterval(() => ask(), ASK_AGAIN_MS);
  timer.unref();
  const release = (): void => {
    clearInterval(timer);
    clearTimeout(expiry);
    for (const unsubscribe of off) unsubscribe();
  };
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
  endWithShare();
  ask();
  return lost.signal;
}
