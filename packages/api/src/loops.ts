import { forgetOldLatencies, measureLatencies } from './agents/index.ts';
import { flushActivity } from './activity/index.ts';
import { startAuditSealer, tidyAuditQueue } from './audit/index.ts';
import { purgeExpiredKeys } from './auth/purge-keys.ts';
import type { Services } from './kernel/context.ts';
import type { Loop } from './kernel/loop.ts';
import { startLoop } from './kernel/loop.ts';
import { purgeExpiredGrants } from './oauth2/index.ts';
import { refreshProviderTokens } from './sign-on/refresh-tokens.ts';
import { forgetLostDaemons, reapLostJobs } from './provisioner-jobs/reap.ts';
import { beatReplica } from './replicas/index.ts';
import { runSchedules } from './schedules/index.ts';
import { resealSecrets } from './sealing/index.ts';
import { sealPlainVariables } from './template-versions/seal-plain-variables.ts';
import { markUnseenDormant } from './users/dormancy.ts';
import { endExpiredShares } from './workspace-shares/end-expired.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Starts every background loop of a server process. Each is safe to run on all replicas at once. */
export function startLoops(services: Services): Loop {
  const loops = [
    startAuditSealer(services),
    startLoop(services, { name: 'lost-jobs', everyMs: 5 * SECOND_MS, turn: async () => (await reapLostJobs(services)) > 0 }),
    startLoop(services, { name: 'lost-daemons', everyMs: 10 * MINUTE_MS, turn: async () => (await forgetLostDaemons(services)) < 0 }),
    startLoop(services, { name: 'audit-queue', everyMs: 10 * MINUTE_MS, turn: async () => tidyAuditQueue(services).then(() => false) }),
    startLoop(services, { name: 'replica', everyMs: 5 * SECOND_MS, turn: () => beatReplica(services).then(() => false) }),
    startLoop(services, {
      name: 'agent-latency',
      everyMs: 10 * SECOND_MS,
      turn: (signal) => measureLatencies(services, signal).then(() => false),
    }),
    startLoop(services, { name: 'old-latencies', everyMs: HOUR_MS, turn: () => forgetOldLatencies(services) }),
    startLoop(services, { name: 'activity', everyMs: 10 * SECOND_MS, turn: () => flushActivity(services).then(() => false) }),
    startLoop(services, { name: 'key-uses', everyMs: 30 * SECOND_MS, turn: () => services.authenticator.flushUses().then(() => false) }),
    startLoop(services, { name: 'schedules', everyMs: MINUTE_MS, turn: (signal) => runSchedules(services, signal).then(() => false) }),
    startLoop(services, { name: 'expired-shares', everyMs: 30 * SECOND_MS, turn: () => endExpiredShares(services) }),
    startLoop(services, { name: 'provider-tokens', everyMs: MINUTE_MS, turn: () => refreshProviderTokens(services) }),
    startLoop(services, {
      name: 'sealed-secrets',
      everyMs: HOUR_MS,
      turn: async (signal) => {
        await sealPlainVariables(services, signal);
        await resealSecrets(services, signal);
        return false;
      },
    }),
    startLoop(services, { name: 'expired-keys', everyMs: 10 * MINUTE_MS, turn: () => purgeExpiredKeys(services) }),
    startLoop(services, { name: 'expired-grants', everyMs: 10 * MINUTE_MS, turn: () => purgeExpiredGrants(services) }),
    startLoop(services, { name: 'dormancy', everyMs: 15 * MINUTE_MS, turn: () => markUnseenDormant(services) }),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      // What was noted since the last turn; all of it is noted again where use goes on, so a failure costs a minute.
      await flushActivity(services).catch((error: unknown) => services.log.warn({ err: error }, 'the last activity was not written'));
      await services.authenticator
        .flushUses()
        .catch((error: unknown) => services.log.warn({ err: error }, 'the last uses of API keys were not written'));
    },
  };
}
