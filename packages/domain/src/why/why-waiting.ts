import { counted } from '@berth/core';
import { isUntagged } from '../tags.ts';
import type { FittingDaemons, WaitingFacts, Why, WhySubject } from './why.ts';

/** How long until a waiting job starts, in seconds: 0 when a daemon is free for it, null when that cannot be known. */
export function estimateSeconds({ daemons, position, typicalSeconds }: WaitingFacts): number | null {
  const { slots, freeSlots } = daemons;
  if (slots === 0) return null;
  if (position <= freeSlots) return 0;
  return typicalSeconds === null ? null : Math.ceil(((position - freeSlots) * typicalSeconds) / slots);
}

export function waitingWhy(subject: WhySubject, facts: WaitingFacts): Why {
  const { daemons, position } = facts;
  const estimate = estimateSeconds(facts);
  if (total(daemons) === 0) {
    const sentence = `No provisioner can take this ${subject}: it needs one for ${needsOf(facts)}.`;
    return { kind: 'waiting_no_provisioner', sentence, action: 'add_provisioner', estimateSeconds: null };
  }
  if (daemons.free + daemons.busy === 0) {
    const state = daemons.draining === 0 ? 'offline' : daemons.offline === 0 ? 'shutting down' : 'offline or shutting down';
    const sentence = `${allOf(total(daemons), subject)} ${state}.`;
    return { kind: 'waiting_provisioner_offline', sentence, action: 'start_provisioner', estimateSeconds: null };
  }
  if (position <= daemons.freeSlots) {
    const sentence = `A provisioner is free and takes this ${subject} at any moment.`;
    return { kind: 'waiting_pickup', sentence, action: 'wait', estimateSeconds: estimate };
  }
  if (position === 1) {
    const sentence = `${allOf(daemons.free + daemons.busy, subject)} busy; this ${subject} is next${about(estimate)}.`;
    return { kind: 'waiting_busy', sentence, action: 'wait', estimateSeconds: estimate };
  }
  const ahead = position - 1;
  const jobs = counted(ahead, 'job is', 'jobs are');
  const present = daemons.free + daemons.busy;
  const takers = counted(present, 'provisioner takes them in turn', 'provisioners take them in turn');
  const when = estimate === null ? '' : ` It should start${about(estimate)}.`;
  return {
    kind: 'waiting_queue',
    sentence: `${jobs} ahead of this ${subject}; ${takers}.${when}`,
    action: 'wait',
    estimateSeconds: estimate,
  };
}

function total({ free, busy, draining, offline }: FittingDaemons): number {
  return free + busy + draining + offline;
}

function allOf(count: number, subject: WhySubject): string {
  return count === 1
    ? `The only provisioner that can take this ${subject} is`
    : `All ${count} provisioners that can take this ${subject} are`;
}

/** What a daemon must offer, in words. */
function needsOf({ provisioner, tags }: WaitingFacts): string {
  const own = Object.entries(tags).filter(
    ([key, value]) => !(key === 'owner' && value === '') && !(key === 'scope' && value === 'organization'),
  );
  if (isUntagged(tags) || own.length === 0) return `${provisioner} without tags`;
  const list = own.map(([key, value]) => `${key}=${value}`).toSorted();
  return `${provisioner} with the ${list.length === 1 ? 'tag' : 'tags'} ${list.join(', ')}`;
}

function about(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < 60) return ` in less than a minute`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 1 ? ' in about a minute' : ` in about ${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours === 1 ? ' in about an hour' : ` in about ${hours} hours`;
}
