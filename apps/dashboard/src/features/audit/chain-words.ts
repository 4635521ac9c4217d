import { counted } from '@berth/core';
import type { AuditChainStatus } from '@berth/api/contract/audit';

export type ChainFacts = AuditChainStatus;

/** Sealing takes seconds; a transaction that does not end holds it up. */
const BEHIND_MS = 60_000;

interface ChainState {
  readonly kind: 'sealed' | 'waiting' | 'behind' | 'broken';
  /** A word or two. */
  readonly label: string;
  readonly sentence: string;
}

/** What the facts about the chain come to. */
export function chainState({ waiting, waiting_since: since, last_verification: verified }: ChainFacts, now: number): ChainState {
  if (verified?.ok === false) {
    return { kind: 'broken', label: 'Broken', sentence: 'The chain did not verify: an entry was changed, removed or put in.' };
  }
  if (waiting === 0) return { kind: 'sealed', label: 'Sealed', sentence: 'Every entry is sealed.' };
  const entries = counted(waiting, 'entry waits', 'entries wait');
  return since !== null && now - Date.parse(since) > BEHIND_MS
    ? { kind: 'behind', label: 'Behind', sentence: `Sealing is behind: ${entries} longer than usual.` }
    : { kind: 'waiting', label: 'Sealing', sentence: `${entries} to be sealed, which takes seconds.` };
}
