import type { AgentApp, AppHealth } from '@berth/protocol/agent';

import type { Log } from './log.ts';
import type { Session } from './session.ts';
import { pause } from './timing.ts';

const REPORT_EVERY_MS = 1000;

/** The status with which an app answers; undefined without an answer in time, and when nothing listens. */
export type Probe = (url: string, timeoutMs: number) => Promise<number | undefined>;

export interface AppHealthOptions {
  readonly apps: readonly AgentApp[];
  readonly workspaceId: string;
  readonly session: Pick<Session, 'deliver'>;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly probe?: Probe;
  readonly reportEveryMs?: number;
}

/**
 * Checks each app that wants it at its interval, until the signal fires. An app is unhealthy after more failures in a row than its
 * threshold, and healthy after one success. Whenever one of them changed, all are reported.
 *
 * Any answer below 500 is a success. A check whose URL has the workspace's id in it asks whose app answers, so only a 2xx is one: a program
 * of another workspace on the same port does not know the address.
 */
export function watchAppHealth(options: AppHealthOptions): void {
  const { signal, probe = httpProbe } = options;
  const apps = options.apps.filter(({ healthcheck }) => healthcheck.url !== '' && healthcheck.interval > 0 && healthcheck.threshold > 0);
  if (apps.length === 0) return;
  const healths = new Map<string, AppHealth>(apps.map(({ id }) => [id, 'initializing']));
  let hasChanged = false;
  const set = (id: string, health: AppHealth): void => {
    if (healths.get(id) !== health) hasChanged = true;
    healths.set(id, health);
  };

  async function watch({ id, healthcheck }: AgentApp): Promise<void> {
    const intervalMs = healthcheck.interval * 1000;
    for (let failures = 0; !signal.aborted;) {
      const began = performance.now();
      if (isSuccess(healthcheck.url, await probe(healthcheck.url, intervalMs - 1))) {
        failures = 0;
        set(id, 'healthy');
      } else if (failures >= healthcheck.threshold) {
        set(id, 'unhealthy');
      } else {
        failures += 1;
      }
      await pause(Math.max(1, intervalMs - (performance.now() - began)), signal);
    }
  }

  function isSuccess(url: string, status: number | undefined): boolean {
    if (status === undefined) return false;
    return url.includes(options.workspaceId) ? status >= 200 && status < 300 : status < 500;
  }

  async function report(): Promise<void> {
    while (!signal.aborted) {
      await pause(options.reportEveryMs ?? REPORT_EVERY_MS, signal);
      if (!hasChanged || signal.aborted) continue;
      hasChanged = false;
      const updates = [...healths].map(([id, health]) => ({ id, health }));
      await options.session
        .deliver((api, limit) => api.reportAppHealth.mutate({ updates }, { signal: limit }))
        .catch((error: unknown) => options.log('warn', 'The health of the apps could not be reported', error));
    }
  }

  for (const app of apps) void watch(app);
  void report();
}

/** `node:http` rather than `fetch`: it follows no redirects, and costs an idle agent no memory. */
const httpProbe: Probe = async (url, timeoutMs) => {
  if (!URL.canParse(url)) return undefined;
  const { get } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve) => {
    try {
      // Certificates of apps in a workspace are their own; this only asks whether anyone is there.
      const request = get(url, { signal: AbortSignal.timeout(timeoutMs), rejectUnauthorized: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', () => resolve(undefined));
    } catch {
      resolve(undefined);
    }
  });
};
