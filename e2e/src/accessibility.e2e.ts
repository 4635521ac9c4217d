import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { enter, makeOwner } from './people.ts';
import { installStarter, settled } from './provisioning.ts';

const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

interface Place {
  readonly path: string;
  /** Waits until the page shows what it is for. */
  readonly shown: (page: Page) => Promise<void>;
}

const heading =
  (name: string) =>
  (page: Page): Promise<void> =>
    expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();

/** Looks at a page in light and dark, wide and 360 pixels narrow. */
async function check(page: Page, { path, shown }: Place): Promise<void> {
  await test.step(path, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(WIDE);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(path);
      await shown(page);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`) }));
      expect.soft(found, `${path}, ${colorScheme}`).toEqual([]);
    }
    await page.setViewportSize(NARROW);
    await page.goto(path);
    await shown(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, `${path} must not scroll sideways at ${NARROW.width} pixels`).toBeLessThanOrEqual(NARROW.width);
  });
}

test('every page passes axe in light and dark, and fits a screen 360 pixels wide', async ({ berth, page }) => {
  test.setTimeout(240_000);
  await check(page, { path: '/setup', shown: heading('Set up Berth') });
  const { client } = await makeOwner(berth);
  await check(page, { path: '/login', shown: heading('Sign in') });

  const shell = await installStarter(client, 'Empty shell');
  const web = await installStarter(client, 'Node web project');
  await enter(page);
  const { id } = await client.workspaces.create.mutate({ user: 'me', name: 'a-workspace-with-quite-long-name', template_id: shell });
  await settled(client, id);
  const workspace = '/@ada/a-workspace-with-quite-long-name';
  const places: Place[] = [
    { path: '/workspaces', shown: (on) => expect(on.getByRole('table', { name: 'Workspaces' })).toBeVisible() },
    { path: '/templates', shown: (on) => expect(on.getByRole('link', { name: 'Empty shell' })).toBeVisible() },
    { path: `/workspaces/new?template=${web}`, shown: (on) => expect(on.getByRole('textbox', { name: 'Project name' })).toBeVisible() },
    { path: workspace, shown: (on) => expect(on.getByText('Load of the host')).toBeVisible() },
    { path: `${workspace}?tab=terminal`, shown: (on) => expect(on.locator('.xterm-rows')).toContainText('$') },
    { path: `${workspace}?tab=builds`, shown: (on) => expect(on.getByRole('table')).toBeVisible() },
    { path: `${workspace}/builds/1`, shown: (on) => expect(on.getByRole('log')).toContainText('agent main started') },
    { path: '/account/tokens', shown: (on) => expect(on.getByRole('heading', { level: 1 })).toBeVisible() },
    {
      path: '/audit',
      shown: async (on) => {
        await on.getByRole('button', { name: /created workspace/ }).click();
        await expect(on.getByRole('table', { name: 'Changes' })).toBeVisible();
      },
    },
  ];
  for (const place of places) await check(page, place);
});
