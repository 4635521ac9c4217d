import { checkLooks, enter, expect, test } from './house.ts';

const HOUR_MS = 3_600_000;

/** Yesterday and today in UTC, in which the browsers here count their days too: midnight may pass during the test. */
function lastDays(): { start_time: string; end_time: string } {
  const now = Date.now();
  const start = `${new Date(now - 24 * HOUR_MS).toISOString().slice(0, 10)}T00:00:00Z`;
  return { start_time: start, end_time: new Date((Math.floor(now / HOUR_MS) + 1) * HOUR_MS).toISOString() };
}

test('a template is found, offered by a button for READMEs, and its insights show who used it', async ({ page, house }) => {
  const { owner, workspace } = house;
  await owner.client.workspaces.usage.mutate({ workspace: workspace.id });
  await page.goto('/templates');
  await page.getByRole('searchbox', { name: 'Search templates' }).fill('shell');
  await expect(page.getByRole('link', { name: 'Node web project' })).toBeHidden();
  await checkLooks(page, 'templates');
  await page.getByRole('searchbox', { name: 'Search templates' }).fill('');
  await page.getByRole('link', { name: 'Node web project' }).click();

  await page.getByRole('tab', { name: 'Open in Berth' }).click();
  await page.getByRole('checkbox', { name: 'Fill in Mode' }).check();
  await page.getByRole('radio', { name: 'Production' }).click();
  await expect(page.getByText(/^\[!\[Open in Berth\]/)).toContainText('/templates/default/node-web/workspace?param.node_env=production)');
  await expect(page.getByRole('img', { name: /Open in Berth/ })).toHaveJSProperty('naturalWidth', 138);
  await checkLooks(page, 'a button for READMEs');

  // Use is written every ten seconds.
  const users = async (): Promise<number> => (await owner.client.insights.userActivity.query(lastDays())).report.users.length;
  await expect.poll(users, { timeout: 60_000 }).toBeGreaterThan(0);
  await page.goto('/templates/default/shell?tab=insights');
  await expect(page.getByRole('table', { name: 'Time by developer' }).getByRole('row', { name: /ada/ })).toBeVisible();
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await expect(
    page
      .getByRole('table', { name: 'Active developers, as a table' })
      .getByRole('cell', { name: /^[1-9]\d*$/ })
      .first(),
  ).toBeVisible();
  await page.getByText('By week').click();
  await expect(page).toHaveURL(/interval=week/);
  await expect(page.getByRole('heading', { name: 'Active developers per week' })).toBeVisible();
  await checkLooks(page, 'insights');
});

test('whoever may not see insights of a template has no tab for them', async ({ visitor, house }) => {
  const grace = await house.person('grace-reads-templates');
  await enter(visitor, grace);
  await visitor.goto('/templates/default/shell?tab=insights');
  await expect(visitor.getByRole('tab', { name: 'Versions' })).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'New workspace' })).toBeVisible();
  await expect(visitor.getByRole('tab', { name: 'Insights' })).toBeHidden();
});

test('unsaved changes of a form are not lost by switching tabs without a question', async ({ page }) => {
  await page.goto('/templates/default/node-web?tab=schedule');
  const choice = page.getByRole('checkbox', { name: 'Start on the active version only' });
  await choice.check();
  await page.getByRole('tab', { name: 'Versions' }).click();
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
  await checkLooks(page, 'unsaved changes');
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(choice).toBeChecked();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workspaces' }).click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces', level: 1 })).toBeVisible();
  await page.goto('/templates/default/node-web?tab=schedule');
  await expect(choice).not.toBeChecked();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page).toHaveURL(/tab=versions/);
});
