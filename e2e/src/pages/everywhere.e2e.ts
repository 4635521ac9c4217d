import { checkLooks, enter, expect, test } from './house.ts';

test('the keyboard goes anywhere and does anything from one box', async ({ page, house }) => {
  await page.goto('/templates');
  await expect(page.getByRole('heading', { name: 'Templates', level: 1 })).toBeVisible();
  const box = page.getByRole('combobox', { name: 'Search, or say what to do' });
  const chosen = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true });

  await page.keyboard.press('Control+K');
  await expect(box).toBeFocused();
  await page.keyboard.type('nothing-is-called-this');
  await expect(page.getByText('Nothing matches “nothing-is-called-this”')).toBeVisible();
  await box.fill(house.workspace.name);
  await expect(chosen).toContainText(`${house.workspace.name}ada · Running`);
  await expect(page.getByRole('option', { name: `Stop ${house.workspace.name}` })).toBeVisible();
  await checkLooks(page, 'command palette');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name: house.workspace.name, level: 1 });
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle(/^ada\/harbour · /);

  await test.step('an action of the page that is open, by what it does', async () => {
    await page.keyboard.press('Control+K');
    await box.fill('schedule');
    await expect(chosen).toContainText(`Schedule of ${house.workspace.name}`);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: 'Schedule' })).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('a new workspace from a template', async () => {
    await page.getByRole('button', { name: 'Search or do…' }).click();
    await box.fill('new node web');
    await expect(chosen).toContainText('New workspace from Node web project');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/workspaces\/new\?template=/);
  });

  await test.step('nothing, and back to where the keyboard was', async () => {
    const search = page.getByRole('button', { name: 'Search or do…' });
    await search.click();
    await expect(box).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(search).toBeFocused();
  });
});

test('shortcuts are on one sheet, obeyed, and off where they are in the way', async ({ visitor: page, house }) => {
  await enter(page, await house.person('rosalind-keys'));
  await page.goto('/shared');
  await expect(page.getByRole('heading', { name: 'Shared with me', level: 1 })).toBeVisible();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByRole('region', { name: 'Go to' })).toContainText('Workspaces');
  await expect(sheet.getByText('Admin')).toHaveCount(0);
  await checkLooks(page, 'keyboard shortcuts');
  await page.keyboard.press('?');
  await expect(sheet).toBeHidden();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByRole('heading', { name: 'Templates', level: 1 })).toBeFocused();

  await page.goto('/account/appearance');
  const plainKeys = page.getByRole('switch', { name: 'Shortcuts of single keys' });
  await plainKeys.focus();
  await page.keyboard.press('Space');
  await expect(plainKeys).not.toBeChecked();
  await page.keyboard.press('?');
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('dialog', { name: 'Search and commands' })).toBeVisible();
  await expect(sheet).toHaveCount(0);
});

test('compact pages stay compact from the first paint on, and an address without a page has ways on', async ({ visitor: page, house }) => {
  await enter(page, await house.person('barbara-compact'));
  await page.goto('/account/appearance');
  await page.getByRole('radio', { name: 'Compact' }).check();
  await checkLooks(page, 'appearance, compact');
  // Without its program the page shows what was there before the first paint.
  await page.route('**/assets/index-*.js', (route) => route.abort());
  await page.goto('/templates', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
  await page.unroute('**/assets/index-*.js');

  await page.goto('/no/such/place');
  await expect(page.getByRole('heading', { name: 'There is nothing here', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Search, or say what to do' })).toBeFocused();
  await page.keyboard.type('quota');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Quota', level: 1 })).toBeFocused();
});
