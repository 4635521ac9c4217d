import { AxeBuilder } from '@axe-core/playwright';
import { type Page, expect } from '@playwright/test';

const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

/** Looks at the page that is shown, as it is: axe in light and dark, and whether it fits a screen 360 pixels wide. Ends wide and light. */
export async function checkLooks(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // Axe takes colours as they are at this moment, which must not be on their way from the other scheme.
    await expect.poll(() => page.evaluate(countTransitions)).toBe(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`) }));
    expect.soft(found, `${name}, ${colorScheme}`).toEqual([]);
  }
  await page.setViewportSize(NARROW);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${name} must not scroll sideways`)
    .toBeLessThanOrEqual(NARROW.width);
  await page.setViewportSize(WIDE);
}

function countTransitions(): number {
  return document.getAnimations().filter((animation) => animation instanceof CSSTransition).length;
}
