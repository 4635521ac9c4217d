import { AGENT_LIFECYCLES } from '@berth/protocol/agent';
import type { AgentLifecycle } from '@berth/protocol/agent';

import type { Log } from './log.ts';
import type { Session } from './session.ts';
import { now } from './timing.ts';

export interface Lifecycle {
  readonly state: AgentLifecycle;
  /** Moves forward and tells the server, in order, as soon as it can be told. A step back is ignored. */
  set(state: AgentLifecycle): void;
  /** Resolves when the server knows the last state. */
  flushed(): Promise<void>;
}

/** `begun` is the state that the server knows already. */
export function trackLifecycle(session: Pick<Session, 'deliver'>, log: Log, begun: AgentLifecycle = 'created'): Lifecycle {
  let state = begun;
  let reports: Promise<void> = Promise.resolve();
  return {
    get state() {
      return state;
    },
    set: (next) => {
      if (AGENT_LIFECYCLES.indexOf(next) <= AGENT_LIFECYCLES.indexOf(state)) return;
      state = next;
      const changed_at = now();
      log('info', `The workspace is ${next}`);
      reports = reports
        .then(() => session.deliver((api, signal) => api.reportLifecycle.mutate({ state: next, changed_at }, { signal })))
        .then(
          () => undefined,
          (error: unknown) => log('error', `Lifecycle ${next} could not be reported`, error),
        );
    },
    flushed: () => reports,
  };
}
