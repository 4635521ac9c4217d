import { expect, test } from './fixtures.ts';
import { checkLooks } from './looks.ts';
import { enter, makeOwner } from './people.ts';
import { BUILD_TIMEOUT_MS, installTemplate, settled } from './provisioning.ts';
import { shot } from './shot.ts';

const YAML = `version: 1
name: Quay
parameters:
  - name: depth
    display_name: Depth
    description: How deep the water is.
    type: number
    default: 4
    mutable: true
    validation:
      min: 2
      max: 20
      error: From {min} to {max} metres.
resources:
  - name: quay
    type: process
    agent:
      name: main
`;

/** An hour in Lisbon 11 to 13 hours from now: after the workspace's deadline, so that the list always shows the next start. */
function hourFarAhead(): number {
  const inLisbon = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/Lisbon' });
  return Number(inLisbon.format(Date.now() + 12 * 3_600_000));
}

test('a workspace says what will happen to it and why, and lets itself be told otherwise', async ({ page, berth }) => {
  test.setTimeout(180_000);
  const owner = await makeOwner(berth);
  const { client } = owner;
  const template = await installTemplate({ berth, owner, name: 'quay', yaml: YAML });
  const { id } = await client.workspaces.create.mutate({ user: 'me', name: 'pier', template_id: template, ttl_ms: 8 * 3_600_000 });
  await settled(client, id);
  await enter(page);

  await test.step('the line into the future, and an hour more', async () => {
    await page.goto('/@ada/pier?tab=schedule');
    const events = page.getByRole('list', { name: 'What comes next' });
    await expect(events.getByRole('listitem').filter({ hasText: 'Stops' })).toContainText('It runs for 8 hours after a start.');
    await page.getByRole('button', { name: 'One hour more' }).click();
    await expect(events.getByRole('listitem').filter({ hasText: 'Stops' })).toContainText('Somebody extended it');
    await page.getByRole('button', { name: 'Until…' }).click();
    await page.getByRole('dialog').getByLabel('Time').fill('2020-01-01T10:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('a schedule with its next times', async () => {
    await page.getByRole('button', { name: 'Set a schedule' }).click();
    const hour = hourFarAhead();
    await page.getByLabel(/^At\b/).fill(`${String(hour).padStart(2, '0')}:15`);
    await page.getByRole('combobox', { name: 'By the clock of' }).fill('Europe/Lis');
    await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
    await expect(page.getByTestId('next-starts').getByRole('listitem')).toHaveCount(3);
    await page.getByRole('button', { name: 'Save the schedule' }).click();
    await expect(page.getByRole('button', { name: 'Remove it' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Stop after' }).fill('2');
    await page.getByRole('button', { name: 'Save the time' }).click();
    await page.getByRole('switch', { name: 'Start on the template’s active version' }).click({ force: true });
    await expect(page.getByRole('list', { name: 'What comes next' })).toContainText('Starts');
    const changed = async () => client.workspaces.get.query({ workspace: id });
    await expect.poll(changed).toMatchObject({
      autostart_schedule: `CRON_TZ=Europe/Lisbon 15 ${hour} * * 1,2,3,4,5`,
      ttl_ms: 2 * 3_600_000,
      automatic_updates: 'always',
    });
    await checkLooks(page, 'schedule');
    await page.evaluate(() => window.scrollTo({ top: 0 }));
    await shot(page, 'schedule');
  });

  await test.step('a change of its template’s rules names it before it is made', async () => {
    await page.goto('/templates/default/quay?tab=schedule');
    await page.getByRole('textbox', { name: 'Dormant after' }).fill('3');
    await page.getByRole('combobox', { name: 'Unit of Dormant after' }).click();
    await page.getByRole('option', { name: 'days' }).click();
    await page.getByRole('button', { name: 'Review and save…' }).click();
    const dialog = page.getByRole('dialog', { name: 'What this changes' });
    await expect(dialog.getByRole('row', { name: /ada\/pier/ })).toContainText('becomes dormant');
    await checkLooks(page, 'what a change of rules touches');
    await shot(page, 'impact');
    await dialog.getByRole('button', { name: 'Save the rules' }).click();
    await expect(page.getByText('The rules are saved.')).toBeVisible();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await expect(page.getByRole('heading', { name: 'Deprecate' })).toBeVisible();
    await checkLooks(page, 'settings of a template');
  });

  await test.step('asleep, and awake again', async () => {
    await client.workspaces.updateDormancy.mutate({ workspace: id, dormant: true });
    await page.goto('/@ada/pier?tab=settings');
    await expect(page.getByRole('alert').filter({ hasText: 'This workspace is dormant' })).toBeVisible();
    await shot(page, 'dormant');
    await page.getByRole('button', { name: 'Wake it up' }).click();
    await expect(page.getByText('This workspace is dormant')).toBeHidden();
  });

  await test.step('other answers for the next start', async () => {
    await page.getByRole('tab', { name: 'Parameters' }).click();
    const depth = page.getByRole('textbox', { name: 'Depth' });
    await depth.fill('40');
    await expect(page.getByText('From 2 to 20 metres.')).toBeVisible();
    await depth.fill('12');
    await checkLooks(page, 'parameters of a workspace');
    await shot(page, 'settings');
    await page.getByRole('button', { name: /^Save and (?:re)?start$/ }).click();
    await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
    await expect.poll(async () => (await settled(client, id)).latest_build.build_number, { timeout: BUILD_TIMEOUT_MS }).toBe(2);
    const { latest_build: build } = await client.workspaces.get.query({ workspace: id });
    const values = await client.builds.parameters.query({ workspacebuild: build.id });
    expect(values).toEqual([{ name: 'depth', value: '12' }]);
  });
});
