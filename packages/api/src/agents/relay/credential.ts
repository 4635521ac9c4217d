import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid } from '@berth/core';
import { derivedKey, randomToken } from '@berth/core/secrets';
import { z } from 'zod';
import type { Settings } from '../../kernel/context.ts';

/** The header by which one replica proves to another that it may ask for an agent. */
export const RELAY_HEADER = 'berth-relay-signature';
/** A signature is made when it is sent; the rest is for clocks that differ. */
const LIFETIME_MS = 30_000;
const TEXT_MAX = 1024;

const uuid = () => z.string().refine(isUuid);

const Claims = z.object({
  agent_id: uuid(),
  /** The replica that asks. */
  from: uuid(),
  /** The replica that is asked. */
  to: uuid(),
  /** Milliseconds since 1970. */
  made_at: z.int(),
  nonce: z.string().min(16).max(64),
});

export interface RelayRequest {
  readonly agentId: string;
  readonly from: string;
  readonly to: string;
}

type KeySettings = Pick<Settings, 'deploymentKey'>;

function signatureOf(payload: string, { deploymentKey }: KeySettings): Buffer {
  return createHmac('sha256', derivedKey(deploymentKey, 'relay')).update(payload).digest();
}

/** What a replica sends in `RELAY_HEADER`: good for this agent between these two replicas, for half a minute, once. */
export function signRelayRequest({ agentId, from, to }: RelayRequest, settings: KeySettings, now: Date): string {
  const claims: z.output<typeof Claims> = { agent_id: agentId, from, to, made_at: now.getTime(), nonce: randomToken(22) };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${signatureOf(payload, settings).toString('base64url')}`;
}

/** Checks what other replicas send. Remembers what it has accepted, so that nothing is accepted twice. */
export class RelayVerifier {
  readonly #settings: KeySettings & Pick<Settings, 'replica'>;
  /** When each may be forgotten, by nonce; oldest first. */
  readonly #used = new Map<string, number>();

  constructor(settings: KeySettings & Pick<Settings, 'replica'>) {
    this.#settings = settings;
  }

  /** Who asks for this agent; null when the text does not prove that another replica asks this one for this agent now. */
  accept(text: string, agentId: string, now: Date): RelayRequest | null {
    if (text.length > TEXT_MAX) return null;
    const [payload = '', signature = '', ...rest] = text.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = signatureOf(payload, this.#settings);
    if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const claims = Claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    if (!claims.success) return null;
    const { agent_id, from, to, made_at, nonce } = claims.data;
    const age = now.getTime() - made_at;
    if (agent_id !== agentId || to !== this.#settings.replica.id || Math.abs(age) > LIFETIME_MS) return null;
    this.#forget(now);
    if (this.#used.has(nonce)) return null;
    this.#used.set(nonce, now.getTime() + 2 * LIFETIME_MS);
    return { agentId, from, to };
  }

  #forget(now: Date): void {
    for (const [nonce, until] of this.#used) {
      if (until > now.getTime()) return;
      this.#used.delete(nonce);
    }
  }
}
