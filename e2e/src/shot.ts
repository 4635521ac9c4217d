import { type Page, test } from '@playwright/test';

/** Attaches what the page looks like now to the running test; the files lie in `test-results`. */
export async function shot(page: Page, name: string): Promise<void> {
  const path = test.info().outputPath(`${name.replaceAll(' ', '-')}.png`);
  await page.screenshot({ path });
  await test.info().attach(name, { path, contentType: 'image/png' });
}
