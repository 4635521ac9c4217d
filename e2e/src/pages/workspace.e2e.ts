import { BUILD_TIMEOUT_MS, installTemplate, settled } from '../provisioning.ts';
import { checkLooks, expect, test } from './house.ts';

const YAML = `version: 1
name: Quay
parameters:
  - { name: depth, display_name: Depth, type: number, default: 4, mutable: true, validation: { min: 2, max: 20 } }
resources:
  - name: quay
    type: process
    metadata: [{ key: berth, value: '7', sensitive: true }]
    agent:
      name: main
      metadata: [{ key: depth, display_name: Water, script: 'echo "$BERTH_PARAM_DEPTH metres"', interval: 5, timeout: 5 }]
      scripts:
        - display_name: Tools
          run_on_start: true
          script: 'for i in $(seq 1 600); do echo "plank $i"; done; printf "\\033[32mall planks are down\\033[0m\\n"'
`;

/** A workspace of Ada's that only the stories of this file change. */
const DOCK = '/@ada/dock';
const HOUR_MS = 3_600_000;
/** Starts daily, 11 to 12 hours from now: after the 8 hours that the workspace runs, so that the stop never depends on the next start. */
const autostart = (): string => `CRON_TZ=UTC 0 ${(new Date().getUTCHours() + 12) % 24} * * *`;
let dockId = '';

test.beforeAll(async ({ house: { berth, owner } }) => {
  const template = await installTemplate({ berth, owner, name: 'dock', yaml: YAML });
  const { id } = await owner.client.workspaces.create.mutate({
    user: 'me',
    name: 'dock',
    template_id: template,
    ttl_ms: 8 * HOUR_MS,
    autostart_schedule: autostart(),
  });
  await settled(owner.client, id);
  dockId = id;
});

test('a workspace shows what it is made of, what its agent measures and how its scripts went', async ({ page }) => {
  await page.goto(DOCK);
  const agent = page.getByRole('region', { name: 'Agent main' });
  await expect(agent.getByText('4 metres')).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
  await expect(agent.getByText('Ready', { exact: true })).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
  await agent.getByRole('button', { name: 'Details' }).click();
  await expect(agent.getByRole('row', { name: /Tools/ })).toContainText('Done');
  await page.getByRole('button', { name: 'Show berth' }).click();
  await expect(page.getByText('7', { exact: true })).toBeVisible();
  await checkLooks(page, 'overview of a workspace');
});

test('the timeline of a build leads to the lines of its log, which can be searched and linked to', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${DOCK}/builds/1`);
  const steps = page.getByRole('table', { name: 'Steps of the build' });
  await expect(steps.getByRole('row', { name: /Wait for a provisioner/ })).toContainText(/\d ?(?:ms|s)/);
  await expect(steps.getByRole('row', { name: /main connects/ })).toBeVisible();
  const tools = steps.getByRole('link', { name: 'Tools' });
  await expect(tools).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
  await steps.getByRole('link', { name: 'Apply' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#L\d+$/);
  await expect(page.getByRole('log').locator('[aria-current=location]')).toContainText('main started');

  await tools.click();
  const log = page.getByRole('log', { name: 'Script logs of main' });
  await expect(log.locator('[aria-current=location]')).toContainText('plank 1');
  const find = page.getByRole('searchbox', { name: 'Find in Script logs of main' });
  await find.fill('plank 39');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 11');
  await find.press('Enter');
  await expect(log.locator('[aria-current=location]')).toContainText('plank 390');
  await log.getByRole('link', { name: 'Copy the link to line 390' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('/@ada/dock/builds/1?log=main#L390');
  await checkLooks(page, 'page of a build');

  await page.goto('/workspaces');
  await page.goto(link);
  await expect(log.locator('[aria-current=location]')).toContainText('plank 390');
  await expect(log.locator('[aria-current=location]')).toBeInViewport();
});

test('the coming week is a line with the rule behind each event', async ({ page }) => {
  await page.goto(`${DOCK}?tab=schedule`);
  const week = page.getByRole('group', { name: 'The next 7 days' });
  const stop = week.getByRole('img', { name: /^Stops, .*It runs for 8 hours after a start\.$/ });
  await stop.focus();
  await expect(page.getByRole('tooltip')).toContainText('It runs for 8 hours after a start.');
  await stop.blur();
  await expect(page.getByRole('tooltip')).toBeHidden();
  await expect(week.getByRole('img', { name: /^Starts, .*Expected/ }).first()).toBeVisible();
  await checkLooks(page, 'schedule of a workspace');
});

test('another answer takes effect with a new start', async ({ page, house }) => {
  await page.goto(`${DOCK}?tab=parameters`);
  await expect(page.getByRole('row', { name: /Depth/ })).toContainText('the same');
  await page.getByRole('textbox', { name: 'Depth' }).fill('9');
  await checkLooks(page, 'parameters of a workspace');
  await page.getByRole('button', { name: 'Save and restart' }).click();
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  await settled(house.owner.client, dockId);
  await page.getByRole('tab', { name: 'Parameters' }).click();
  await expect(page.getByRole('row', { name: /Depth/ })).toContainText('9');
});

test('a link to start a workspace asks first', async ({ page, house: { owner } }) => {
  await owner.client.builds.create.mutate({ workspace: dockId, transition: 'stop' });
  await settled(owner.client, dockId);
  await page.goto(`${DOCK}?start=true`);
  const dialog = page.getByRole('dialog', { name: 'Start dock?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/@ada\/dock$/);
  expect((await owner.client.workspaces.get.query({ workspace: dockId })).latest_build.transition).toBe('stop');
  await page.goto(`${DOCK}?start=true`);
  await checkLooks(page, 'question before a start');
  await dialog.getByRole('button', { name: 'Start workspace' }).click();
  await expect(dialog).toBeHidden();
  expect((await settled(owner.client, dockId)).latest_build.transition).toBe('start');
});

test('an administrator downloads the state of an earlier build, and restores it with a new one', async ({ page, house }) => {
  await page.goto(`${DOCK}?tab=settings`);
  const states = page.getByRole('table', { name: 'States' });
  await expect(states.getByRole('row', { name: /#1 start/ })).toBeVisible();
  await checkLooks(page, 'settings of a workspace');
  const download = page.waitForEvent('download');
  await states.getByRole('button', { name: 'Download the state of build #1' }).click();
  expect((await download).suggestedFilename()).toBe('dock-build-1-state.json');

  const before = (await house.owner.client.workspaces.get.query({ workspace: dockId })).latest_build.build_number;
  await states.getByRole('button', { name: 'Restore the state of build #1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore state' }).click();
  await expect(states.getByRole('row', { name: /Current/ })).toContainText(`#${before + 1} start`, { timeout: BUILD_TIMEOUT_MS });
  await settled(house.owner.client, dockId);
  await expect(states.getByRole('row', { name: /#1 start/ })).toBeVisible();
});
