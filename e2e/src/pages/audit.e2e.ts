import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { House } from './house.ts';
import { checkLooks, expect, test } from './house.ts';

/** A group of the organization `default`, which leaves one entry for each thing that is done to it. */
async function makeGroup(house: House, name: string, display_name = ''): Promise<string> {
  const { id } = await house.owner.client.groups.create.mutate({ organization: 'default', name, display_name });
  return id;
}

const entryOf = (page: Page, sentence: string) => page.getByRole('button', { name: sentence });

test('who audits narrows the log down by chips and by the query, and sees what an entry changed', async ({ page, house }) => {
  const group = await makeGroup(house, 'audited-crew', 'Crew');
  await house.owner.client.groups.update.mutate({ group, display_name: 'The whole crew' });
  await page.goto('/audit');
  const filters = page.getByRole('group', { name: 'Filters' });
  await filters.getByRole('button', { name: 'Resource' }).click();
  await page.getByRole('menuitem', { name: 'Group', exact: true }).click();
  await expect(page).toHaveURL(/q=resource_type:group$/);
  const query = page.getByRole('combobox', { name: 'Search the audit log' });
  await expect(query).toHaveValue('resource_type:group');
  await query.press('End');
  await query.pressSequentially(' resource_target:audited-crew action:wr');
  await expect(page.getByRole('option', { name: /^write/ })).toBeVisible();
  await query.press('Tab');
  await query.press('Enter');
  await expect(filters.getByRole('button', { name: 'Action: Write' })).toBeVisible();
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible();

  await entryOf(page, 'ada updated group audited-crew').click();
  const entry = page.getByRole('dialog', { name: 'ada updated group audited-crew' });
  const changed = entry.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'display_name' }) });
  await expect(changed.getByRole('cell')).toHaveText(['Crew', 'The whole crew']);
  await expect(entry.getByRole('link', { name: 'audited-crew' })).toHaveAttribute(
    'href',
    /\/organizations\/default\/groups\/audited-crew$/,
  );
  await checkLooks(page, 'an entry of the audit log');
  // Its address is enough to find it again, also on no page of the list.
  const id = new URL(page.url()).searchParams.get('entry') ?? '';
  await page.goto(`/audit?entry=${id}&q=action:login`);
  await expect(page.getByRole('dialog', { name: 'ada updated group audited-crew' })).toBeVisible();
  await page.getByRole('link', { name: 'everything of this request' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(filters.getByRole('button', { name: /^Request:/ })).toBeVisible();
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: /^Views/ }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('That request');
  await page.getByRole('button', { name: 'Save view' }).click();
  await filters.getByRole('button', { name: 'Clear all' }).click();
  await page.getByRole('button', { name: 'Views: Everything' }).click();
  await page.getByRole('menuitem', { name: 'That request', exact: true }).click();
  await expect(page).toHaveURL(/q=request_id:/);
});

test('live, new entries come in at the top, and wait while somebody reads further down', async ({ page, house }) => {
  await page.goto('/audit?q=resource_type:group');
  await page.getByRole('switch', { name: 'Live' }).click({ force: true });
  await expect(page).toHaveURL(/live=true/);
  await makeGroup(house, 'live-crew-1');
  await expect(entryOf(page, 'ada created group live-crew-1')).toBeVisible();
  for (let number = 2; number < 20; number += 1) await makeGroup(house, `live-crew-${number}`);
  await expect(entryOf(page, 'ada created group live-crew-19')).toBeVisible();
  await page.getByRole('heading', { name: 'Audit log' }).click();
  await page.keyboard.press('j');
  await expect(entryOf(page, 'ada created group live-crew-19')).toBeFocused();

  await page.evaluate(() => window.scrollTo({ top: 500 }));
  await makeGroup(house, 'live-crew-20');
  await page.getByRole('button', { name: '1 new entry' }).click();
  await expect(entryOf(page, 'ada created group live-crew-20')).toBeInViewport();
  await checkLooks(page, 'the live audit log');
});

test('what a search finds is taken along as a file, the log says so, and the seal says what it is worth', async ({ page, house }) => {
  await makeGroup(house, 'exported-crew', '=1+1');
  await page.goto('/audit?q=resource_target:exported-crew');
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible();
  for (const [format, holds] of [
    ['NDJSON', '"resource_target":"exported-crew"'],
    ['CSV', ',exported-crew,'],
  ] as const) {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: format }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d.*\.(?:ndjson|csv)$/);
    expect(await readFile(await file.path(), 'utf8')).toContain(holds);
  }
  await page.getByRole('button', { name: /^Views/ }).click();
  await page.getByRole('menuitem', { name: 'Exports of this log' }).click();
  await expect(page.getByText('2 entries', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: /^(?:Sealed|Sealing)$/ }).click();
  await page.getByRole('button', { name: /^Verify the newest/ }).click();
  await expect(page.getByText(/sealed entries are what was written/)).toBeVisible();
  await checkLooks(page, 'the seal of the audit log');
});
