import { findBrowser } from '@berth/e2e/browser';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { benchKey } from '../dataset/key.ts';
import { percentile } from '../machine/statistics.ts';

const TIMEOUT_MS = 60_000;
/** As page tests in the field slow a desk computer down to a phone of the middle class. */
const CPU_SLOWDOWN = 4;
/** After the page has settled: what is painted later would move the largest paint. */
const SETTLE_MS = 500;

export interface FirstLoadResult {
  readonly page: string;
  readonly loads: number;
  readonly cpuSlowdown: number;
  /** From the navigation to the largest contentful paint, in milliseconds. */
  readonly largestPaintP50: number;
  readonly largestPaintMax: number;
  /** Of all JavaScript that the page asked for, compressed as it travelled. */
  readonly scriptBytes: number;
  readonly requests: number;
}

const Seen = z.object({ largestPaint: z.number(), scriptBytes: z.number(), requests: z.int() });

/** Opens a page of the dashboard again and again in a browser that knows nothing yet, with a slowed-down processor. */
export async function measureFirstLoad(
  url: string,
  options: { page: string; loads: number; log: (message: string) => void },
): Promise<FirstLoadResult> {
  const { page, loads, log } = options;
  const browser = await chromium.launch(await findBrowser());
  try {
    const seen: z.output<typeof Seen>[] = [];
    for (let load = 0; load < loads; load += 1) seen.push(await loadOnce(browser, `${url}${page}`));
    const paints = seen.map(({ largestPaint }) => largestPaint);
    const result = {
      page,
      loads,
      cpuSlowdown: CPU_SLOWDOWN,
      largestPaintP50: percentile(paints, 0.5),
      largestPaintMax: percentile(paints, 1),
      scriptBytes: Math.max(...seen.map(({ scriptBytes }) => scriptBytes)),
      requests: Math.max(...seen.map(({ requests }) => requests)),
    };
    log(`${page}: largest paint p50 ${result.largestPaintP50.toFixed(0)} ms, ${(result.scriptBytes / 1024).toFixed(0)} KiB of JavaScript`);
    return result;
  } finally {
    await browser.close();
  }
}

async function loadOnce(browser: Browser, address: string): Promise<z.output<typeof Seen>> {
  const context = await browser.newContext({ viewport: { width: 1350, height: 940 } });
  try {
    await context.addCookies([{ name: 'berth_session', value: benchKey.token, url: new URL(address).origin }]);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    // Live connections stay open, so the network never falls idle: a row of the table is what a person waits for.
    await page.goto(address, { waitUntil: 'load', timeout: TIMEOUT_MS });
    await page.getByRole('row').nth(1).waitFor({ timeout: TIMEOUT_MS });
    await page.waitForTimeout(SETTLE_MS);
    return Seen.parse(await page.evaluate(readPerformance));
  } finally {
    await context.close();
  }
}

/** Runs in the page. */
async function readPerformance(): Promise<unknown> {
  const largestPaint = await new Promise<number>((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    });
  });
  const resources = performance.getEntriesByType('resource').filter((entry) => entry instanceof PerformanceResourceTiming);
  const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
  return {
    largestPaint,
    scriptBytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    requests: resources.length,
  };
}
