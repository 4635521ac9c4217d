import { test as base } from '@playwright/test';
import { type Berth, startBerth } from './berth.ts';

/**
 * `berth`: one running product per worker, shared by the tests of a file one after another. `freshBerth`: one of its own, for a
 * test that stops or kills it, or that needs nobody to have an account yet.
 */
export const test = base.extend<{ freshBerth: Berth }, { berth: Berth }>({
  berth: [
    async ({}, use) => {
      const berth = await startBerth();
      await use(berth);
      await berth.dispose();
    },
    { scope: 'worker', timeout: 150_000 },
  ],
  freshBerth: [
    async ({}, use, testInfo) => {
      const berth = await startBerth();
      await use(berth);
      if (testInfo.status !== testInfo.expectedStatus) {
        await testInfo.attach('server log', { body: berth.log(), contentType: 'text/plain' });
      }
      await berth.dispose();
    },
    { timeout: 150_000 },
  ],
  baseURL: async ({ berth }, use) => use(berth.url),
});

export { expect } from '@playwright/test';
