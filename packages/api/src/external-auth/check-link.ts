import type { Services } from '../kernel/context.ts';
import type { LinkRow, LinkTokens } from './link-row.ts';
import { openLink } from './link-row.ts';
import type { OutboundAnswer } from './outbound.ts';
import { OutboundError, askService } from './outbound.ts';
import { refreshLink } from './refresh-link.ts';
import { bearer } from './service-requests.ts';
import type { ExternalAuthProvider } from './settings.ts';
import { ProviderRefusal, cleanCode, parseJson } from './token-answer.ts';

/** What is known of a link now. */
export type LinkState =
  | { readonly kind: 'working'; readonly row: LinkRow; readonly tokens: LinkTokens; readonly validation: OutboundAnswer | null }
  /** It has to be made anew. */
  | { readonly kind: 'broken'; readonly row: LinkRow; readonly reason: string }
  /** The service does not tell now. */
  | { readonly kind: 'unknown'; readonly row: LinkRow; readonly reason: string }
  | { readonly kind: 'gone' };

/** A token that ends this soon is renewed before it is handed out. */
const REFRESH_AHEAD_MS = 30_000;

type Checker = Pick<Services, 'prisma' | 'bus' | 'clock' | 'sealer' | 'log'>;

/**
 * Finds out whether a link's token works: renews one that is over or about to be, then shows it to the service where it has an address
 * for that. A token that the service refuses is renewed once, since not every service says when tokens end. Never throws for what the
 * service does.
 */
export async function checkLink(services: Checker, provider: ExternalAuthProvider, row: LinkRow): Promise<LinkState> {
  try {
    if (!endsBefore(row, services.clock.now().getTime() + REFRESH_AHEAD_MS)) {
      const state = await validate(services, provider, row);
      if (state.kind !== 'broken' || !isRefreshable(provider, row)) return state;
    }
    const current = isRefreshable(provider, row) ? await refreshLink(services, provider, row) : row;
    if (current === null) return { kind: 'gone' };
    if (current.failure !== '') return { kind: 'broken', row: current, reason: `The service ended the link (${current.failure}).` };
    if (endsBefore(current, services.clock.now().getTime())) return { kind: 'broken', row: current, reason: 'The token is over.' };
    return await validate(services, provider, current);
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof ProviderRefusal)) throw error;
    services.log.warn({ user_id: row.userId, provider_id: row.providerId, reason: error.message }, 'an external service did not help');
    return { kind: 'unknown', row, reason: error.message };
  }
}

const endsBefore = ({ expiresAt }: LinkRow, millis: number): boolean => expiresAt !== null && expiresAt.getTime() <= millis;

const isRefreshable = (provider: ExternalAuthProvider, row: LinkRow): boolean => provider.allowsRefresh && row.sealedRefreshToken !== null;

async function validate(services: Checker, provider: ExternalAuthProvider, row: LinkRow): Promise<LinkState> {
  const tokens = openLink(services, row);
  if (tokens === null) return { kind: 'broken', row, reason: 'The stored token can no longer be read.' };
  if (provider.validateUrl === undefined) return { kind: 'working', row, tokens, validation: null };
  const answer = await askService(provider.validateUrl, { headers: bearer(tokens.accessToken) });
  const refusal = refusalOf(provider, answer);
  if (refusal !== null) return { kind: 'broken', row, reason: refusal };
  if (answer.status < 200 || answer.status > 299) {
    return { kind: 'unknown', row, reason: `The service answered with status ${answer.status}.` };
  }
  return { kind: 'working', row, tokens, validation: answer };
}

/** Why the service does not take the token; null when it does, or when it says nothing about it. */
function refusalOf({ type }: ExternalAuthProvider, answer: OutboundAnswer): string | null {
  if (answer.status === 401) return 'The service does not take the token.';
  // Hosts also say 403 to whom they want to slow down.
  const isSlowedDown = answer.headers.get('x-ratelimit-remaining') === '0' || answer.headers.has('retry-after');
  if (answer.status === 403 && !isSlowedDown) return 'The service does not take the token.';
  if (type !== 'slack' || answer.status !== 200) return null;
  // Slack answers 200 whatever it thinks.
  const { ok, error } = parseJson(answer.text) ?? {};
  if (ok === true || error === 'ratelimited') return null;
  return `The service does not take the token (${cleanCode(typeof error === 'string' ? error : '')}).`;
}
