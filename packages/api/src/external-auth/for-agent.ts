import { DomainError, invalid, notFound, unauthenticated } from '@berth/core';
import type { z } from 'zod';
import type { AgentCall } from '../agents/agent-call.ts';
import { externalAuthChannel } from '../kernel/channels.ts';
import type { Context } from '../kernel/context.ts';
import { checkLink } from './check-link.ts';
import type { AgentExternalAuth, AgentExternalAuthQuery } from './contract.ts';
import { findLink } from './link-row.ts';
import { pagePath, providerForAddress } from './providers.ts';
import type { ExternalAuthProvider } from './settings.ts';

/** Under the minute after which proxies give up; the agent asks again. */
const LISTEN_MS = 50_000;
/** News may be lost while the connection is down, and whoever lost their rights is not told. */
const LOOK_AGAIN_MS = 5_000;

type Input = z.output<typeof AgentExternalAuthQuery> & { readonly signal: AbortSignal };

/**
 * A token of the workspace's owner for what the agent asks for, or the address where the owner links an account. With `listen` it
 * waits for the owner to do so, at most 50 seconds. The agent's own right is asked for again after each wait.
 *
 * @throws invalid unless exactly one of `match` and `id` is given; not_found when no provider is for it; unavailable when the service
 *   does not say whether the token works.
 */
export async function externalAuthForAgent(call: AgentCall & Pick<Context, 'authenticate'>, input: Input): Promise<AgentExternalAuth> {
  const provider = requestedProvider(call, input);
  const userId = call.principal.ownerId;
  const deadline = Date.now() + LISTEN_MS;
  for (;;) {
    const found = await workingToken(call, provider);
    const left = deadline - Date.now();
    if (found !== null || input.listen !== true || left <= 0 || input.signal.aborted) {
      return found ?? unlinked(call, provider);
    }
    await call.services.bus.waitFor(externalAuthChannel, (news) => news.user_id === userId && news.provider_id === provider.id, {
      timeoutMs: Math.min(LOOK_AGAIN_MS, left),
      signal: input.signal,
    });
    const principal = await call.authenticate();
    if (principal.kind !== 'agent' || principal.agentId !== call.principal.agentId) throw unauthenticated();
  }
}

function requestedProvider({ services: { settings } }: AgentCall, { id = '', match = '' }: Input): ExternalAuthProvider {
  if ((id === '') === (match === '')) {
    const detail = 'give either `match` or `id`';
    throw invalid('Validation failed.', [
      { field: 'match', detail },
      { field: 'id', detail },
    ]);
  }
  const provider = id === '' ? providerForAddress(settings, match) : settings.externalAuth.find((one) => one.id === id);
  if (provider === undefined) throw notFound();
  return provider;
}

async function workingToken({ services, principal }: AgentCall, provider: ExternalAuthProvider): Promise<AgentExternalAuth | null> {
  const row = await findLink(services.prisma, { userId: principal.ownerId, providerId: provider.id });
  if (row === null) return null;
  const state = await checkLink(services, provider, row);
  switch (state.kind) {
    case 'working': {
      const { accessToken, extra } = state.tokens;
      return { access_token: accessToken, token_extra: extra, url: '', type: provider.type, ...gitCredentials(provider, accessToken) };
    }
    case 'unknown':
      throw new DomainError('unavailable', 'The external service did not help.', { detail: state.reason });
    case 'broken':
    case 'gone':
      return null;
  }
}

function unlinked({ services: { settings } }: AgentCall, provider: ExternalAuthProvider): AgentExternalAuth {
  const url = `${settings.accessUrl}${pagePath(provider)}`;
  return { access_token: '', token_extra: {}, url, type: provider.type, username: '', password: '' };
}

/** How git presents the token: hosts differ in which half they read. */
function gitCredentials({ type }: ExternalAuthProvider, token: string): { username: string; password: string } {
  if (type === 'gitlab') return { username: 'oauth2', password: token };
  if (type === 'bitbucket-cloud' || type === 'bitbucket-server') return { username: 'x-token-auth', password: token };
  return { username: token, password: '' };
}
