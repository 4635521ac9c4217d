import { test as base } from '@playwright/test';
import { type Berth, startBerth } from './berth.ts';

/** `berth`: a running product of the test's own, with an empty data folder: nobody has an account yet, and it may be stopped or killed. */
export const test = base.extend<{ berth: Berth }>({
  berth: [
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
