import { expect, onTestFinished, test, vi } from 'vitest';
import { watchAppHealth } from './app-health.ts';

const WORKSPACE = '5f0f2a5e-0c1d-4b7e-9a52-0f4f3c1d2e3b';

/** The first health that is reported of an app whose check always gets this answer. */
async function healthOf(path: string, status: number | undefined): Promise<string | undefined> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const reported = vi.fn<(health: string | undefined) => void>();
  const reportAppHealth = {
    mutate: async ({ updates }: { updates: readonly { health: string }[] }) => {
      reported(updates[0]?.health);
      return {};
    },
  };
  const url = `http://localhost:8080${path}`;
  watchAppHealth({
    apps: [{ id: '1', slug: 'web', url, healthcheck: { url, interval: 0.01, threshold: 1 }, health: 'initializing' }],
    workspaceId: WORKSPACE,
    session: { deliver: (call) => call({ reportAppHealth } as never, stop.signal) },
    log: () => {},
    signal: stop.signal,
    probe: () => Promise.resolve(status),
    reportEveryMs: 5,
  });
  await vi.waitFor(() => expect(reported).toHaveBeenCalled(), { timeout: 20_000 });
  stop.abort();
  return reported.mock.calls[0]?.[0];
}

test.each([
  [200, 'healthy'],
  [302, 'healthy'],
  [401, 'healthy'],
  [404, 'healthy'],
  [500, 'unhealthy'],
  [undefined, 'unhealthy'],
])('an app that answers its check with %s is %s', async (status, health) => {
  expect(await healthOf('/', status)).toBe(health);
});

test.each([
  [200, 'healthy'],
  [204, 'healthy'],
  [302, 'unhealthy'],
  [401, 'unhealthy'],
  [404, 'unhealthy'],
  [undefined, 'unhealthy'],
])(
  'a check with the id of the workspace in its address takes %s for %s, since a neighbor on the port may answer',
  async (status, health) => {
    expect(await healthOf(`/health/${WORKSPACE}`, status)).toBe(health);
  },
);
