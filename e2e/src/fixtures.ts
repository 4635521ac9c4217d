import { test as base } from '@playwright/test';
import { type Berth, startBerth } from './berth.ts';

interface Fixtures {
  /** Further settings of the product; a test that needs some overrides it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly berth: Berth;
}

/** `berth`: a running product of the test's own, with an empty data folder: nobody has an account yet, and it may be stopped or killed. */
export const test = base.extend<Fixtures>({
  settings: async ({}, use) => use({}),
  berth: [
    async ({ settings }, use, testInfo) => {
      const berth = await startBerth({ env: settings });
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
