import { defineConfig } from '@playwright/test';
import { findBrowser } from './src/browser.ts';

const launchOptions = await findBrowser();

/** Journeys through the built product in a real browser, one after another: each starts a server, agents and a browser. */
export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.e2e.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  workers: 1,
  // On CI a failed test runs once more, and is reported as flaky when it then passes. A flaky test is a bug: it is not retried elsewhere.
  retries: process.env['CI'] === undefined ? 0 : 1,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions,
    // Fails a click on something that is gone before the whole test runs out of time.
    actionTimeout: 30_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  },
});
