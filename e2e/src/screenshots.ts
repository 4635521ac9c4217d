import { type Page, chromium, expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { startBerth } from './berth.ts';
import { findBrowser } from './browser.ts';
import { enter } from './people.ts';
import { openedTerminal } from './terminal.ts';

/** Makes the pictures of the documentation: `pnpm --filter @berth/e2e screenshots`. They show the built product with its seeded organization. */

const target = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const seed = fileURLToPath(new URL('../../seed/src/main.ts', import.meta.url));

const ADMIN = { email: 'admin@example.com', username: 'admin', password: 'seven-quiet-harbours-42' };
const DEVELOPER = { email: 'chiara@example.com', username: 'chiara', password: 'nine-quiet-harbours-42' };

async function picture(page: Page, name: string): Promise<void> {
  // Nothing blinks, fades or waits for its font in a picture.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: join(target, `${name}.png`), animations: 'disabled', caret: 'hide' });
  process.stdout.write(`docs/screenshots/${name}.png\n`);
}

async function takePictures(page: Page): Promise<void> {
  await enter(page, ADMIN);
  await page.goto('/workspaces');
  await page.getByRole('row', { name: /release-tools/ }).waitFor();
  await picture(page, 'workspaces');

  await page.goto('/audit?q=resource_type:workspace');
  await page
    .getByRole('button', { name: /created workspace release-tools/ })
    .first()
    .click();
  await page.getByRole('table', { name: 'Changes' }).waitFor();
  await page.evaluate(() => window.scrollTo({ top: 0 }));
  await picture(page, 'audit');

  await page.goto('/people/users');
  await page.getByRole('row', { name: /chiara/ }).waitFor();
  await picture(page, 'people');

  const organization: unknown = await (await page.request.get('/api/v2/organizations/default')).json();
  const { id } = z.object({ id: z.string() }).parse(organization);
  await page.goto(`/people/access?user=chiara&type=template&action=update&organization=${id}`);
  await page.getByTestId('answer').waitFor();
  await picture(page, 'access');

  await page.goto('/templates');
  await page.getByRole('link', { name: 'Node web project' }).waitFor();
  await picture(page, 'templates');

  await page.goto('/templates/node-web');
  await page.getByRole('region', { name: 'README' }).getByRole('table').waitFor();
  await picture(page, 'template');

  await page.goto('/templates/default/node-web/edit');
  await page.getByRole('textbox', { name: 'berth.yaml' }).getByText('parameters').waitFor();
  await page.getByRole('textbox', { name: 'Project name' }).waitFor();
  await picture(page, 'editor');

  await page.goto('/admin/health');
  await page.getByRole('region', { name: 'Database' }).waitFor();
  await picture(page, 'health');

  await page.context().clearCookies();
  await enter(page, DEVELOPER);
  await page.goto('/workspaces/new?template=node-web');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('storefront');
  await page.getByRole('textbox', { name: 'Project name' }).fill('storefront');
  await page.evaluate(() => window.scrollTo({ top: 0 }));
  await picture(page, 'create');

  await page.goto('/@chiara/shop-frontend');
  await page.getByRole('link', { name: 'Web page, healthy' }).waitFor({ timeout: 90_000 });
  await page.getByText(/^Listening on port/).waitFor();
  await picture(page, 'workspace');

  await page.goto('/@chiara/shop-frontend/builds/1');
  await page.getByRole('table', { name: 'Steps of the build' }).waitFor();
  await picture(page, 'build');

  await page.goto('/@chiara/shop-frontend');
  await page.getByRole('tab', { name: 'Schedule' }).click();
  await page.getByTestId('next-starts').getByRole('listitem').first().waitFor();
  await page.getByRole('list', { name: 'What comes next' }).waitFor();
  await picture(page, 'schedule');

  await page.getByRole('tab', { name: 'Terminal' }).click();
  const terminal = await openedTerminal(page, 'shop-frontend');
  // What is typed ahead of the prompt would stand among the output.
  for (const [command, end] of [
    ['ls -l', /style\.css/],
    ['cat package.json', /\}/],
    ['node --version', /v\d+\.\d+\.\d+/],
  ] as const) {
    await terminal.run(command);
    await expect(terminal.screen).toContainText(new RegExp(`${end.source}\\s*chiara@shop-frontend:~/shop\\$\\s*$`));
  }
  await page.getByRole('button', { name: 'New terminal' }).click();
  const second = await openedTerminal(page, 'shop-frontend');
  await second.run('uname -s');
  await expect(second.screen).toContainText('Linux');
  await page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab').first().click();
  await expect((await openedTerminal(page, 'shop-frontend')).screen).toContainText('node --version');
  await picture(page, 'terminal');

  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search, or say what to do' }).fill('shop');
  await page
    .getByRole('option', { name: /shop-frontend/ })
    .first()
    .waitFor();
  await picture(page, 'palette');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('dialog', { name: 'Connect to shop-frontend' }).getByText('berth config-ssh').waitFor();
  await picture(page, 'connect');
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Sharing' }).click();
  for (const [who, what] of [
    ['ben', 'All apps'],
    ['grace', 'Terminals, to work in'],
  ] as const) {
    await page.getByRole('button', { name: 'Share…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share shop-frontend' });
    await dialog.getByLabel('Who').fill(who);
    await page.keyboard.press('Escape');
    await dialog.getByLabel('What').click();
    await page.getByRole('option', { name: what }).click();
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  }
  await expect(page.getByRole('table', { name: 'Shared now' }).getByRole('row')).toHaveCount(3);
  await picture(page, 'sharing');
}

await mkdir(target, { recursive: true });
const berth = await startBerth({
  env: {
    BERTH_FIRST_USER_EMAIL: ADMIN.email,
    BERTH_FIRST_USER_USERNAME: ADMIN.username,
    BERTH_FIRST_USER_PASSWORD: ADMIN.password,
    BERTH_WILDCARD_ACCESS_URL: '*.localhost',
  },
});
const browser = await chromium.launch(await findBrowser());
try {
  const access = ['--url', berth.url, '--email', ADMIN.email, '--password', ADMIN.password, '--users-password', DEVELOPER.password];
  await promisify(execFile)(process.execPath, [seed, ...access]);
  await takePictures(
    await browser.newPage({ baseURL: berth.url, viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce' }),
  );
} finally {
  await browser.close();
  await berth.dispose();
}
