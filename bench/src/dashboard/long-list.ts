import { findBrowser } from '@berth/e2e/browser';
import { chromium } from 'playwright-core';
import { z } from 'zod';
import { benchKey } from '../dataset/key.ts';
import { percentile } from '../machine/statistics.ts';

const TIMEOUT_MS = 60_000;
/** A quick hand: five rows with each frame. */
const PIXELS_PER_FRAME = 300;
/** How long a row may take to be there once the scrolling stopped. */
const SETTLE_TIMEOUT_MS = 30_000;

export interface LongListResult {
  readonly page: string;
  /** Workspaces that the list has. */
  readonly rows: number;
  readonly frames: number;
  readonly pixelsPerFrame: number;
  /** From one frame to the next while the list is scrolled from its beginning to its end, in milliseconds. */
  readonly frameP50: number;
  readonly frameP99: number;
  readonly frameMax: number;
  /** Processor time of the page in all its threads for one frame, in milliseconds: what the others on the machine do does not count. */
  readonly cpuPerFrame: number;
  /** Tasks of the page that held up everything else for more than 50 ms while it was scrolled. */
  readonly longTasks: number;
  /** The longest of them, in milliseconds; 0 for none. */
  readonly longestTask: number;
  /** From the stop at the end until its rows were there, in milliseconds. */
  readonly settledAfter: number;
  /** Elements of the page at the end: a long list must not fill it. */
  readonly elements: number;
}

const Processes = z.object({ processInfo: z.array(z.object({ type: z.string(), cpuTime: z.number() })) });

const Seen = z.object({ frames: z.array(z.number()), tasks: z.array(z.number()), elements: z.int() });

/** Scrolls through all workspaces, a frame at a time, and looks how smooth that is. */
export async function measureLongList(url: string, { log }: { log: (message: string) => void }): Promise<LongListResult> {
  const page = '/workspaces';
  const browser = await chromium.launch(await findBrowser());
  try {
    const context = await browser.newContext({ viewport: { width: 1350, height: 940 } });
    await context.addCookies([{ name: 'berth_session', value: benchKey.token, url: new URL(url).origin }]);
    const tab = await context.newPage();
    await tab.goto(`${url}${page}`, { waitUntil: 'load', timeout: TIMEOUT_MS });
    const table = tab.getByRole('table', { name: 'Workspaces' });
    await table.getByRole('link').first().waitFor({ timeout: TIMEOUT_MS });
    const rows = Number(await table.getAttribute('aria-rowcount')) - 1;
    const devTools = await browser.newBrowserCDPSession();
    const cpu = async (): Promise<number> => {
      const { processInfo } = Processes.parse(await devTools.send('SystemInfo.getProcessInfo'));
      return processInfo.reduce((sum, { type, cpuTime }) => sum + (type === 'renderer' ? cpuTime * 1000 : 0), 0);
    };
    const cpuBefore = await cpu();
    const { frames, tasks, elements } = Seen.parse(await tab.evaluate(scrollThrough, PIXELS_PER_FRAME));
    const cpuPerFrame = ((await cpu()) - cpuBefore) / frames.length;
    const stoppedAt = performance.now();
    await tab.locator(`tr[aria-rowindex="${rows + 1}"] a`).waitFor({ timeout: SETTLE_TIMEOUT_MS });
    const result = {
      page,
      rows,
      frames: frames.length,
      pixelsPerFrame: PIXELS_PER_FRAME,
      frameP50: percentile(frames, 0.5),
      frameP99: percentile(frames, 0.99),
      frameMax: percentile(frames, 1),
      cpuPerFrame,
      longTasks: tasks.length,
      longestTask: Math.max(0, ...tasks),
      settledAfter: performance.now() - stoppedAt,
      elements,
    };
    log(
      `${page}: ${rows} rows in ${result.frames} frames, p50 ${result.frameP50.toFixed(1)} ms, p99 ${result.frameP99.toFixed(1)} ms, ` +
        `longest ${result.frameMax.toFixed(1)} ms; ${result.cpuPerFrame.toFixed(1)} ms of processor time a frame, ${result.longTasks} long tasks, longest ${result.longestTask.toFixed(0)} ms`,
    );
    return result;
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
async function scrollThrough(pixelsPerFrame: number): Promise<unknown> {
  const tasks: number[] = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  const frames: number[] = [];
  let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
  while (window.scrollY + window.innerHeight < document.documentElement.scrollHeight - 1) {
    window.scrollBy(0, pixelsPerFrame);
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    frames.push(now - last);
    last = now;
  }
  tasks.push(...observer.takeRecords().map(({ duration }) => duration));
  observer.disconnect();
  return { frames, tasks, elements: document.querySelectorAll('*').length };
}
