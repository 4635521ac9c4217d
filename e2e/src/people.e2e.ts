import { expect, test } from './fixtures.ts';
import { enter, makeOwner } from './people.ts';
import { shot } from './shot.ts';

const GRACE = { email: 'grace@example.com', username: 'grace', name: 'Grace Hopper', password: 'nine-calm-lighthouses-77' } as const;

test('an administrator gives somebody a place and rights, explains them, and takes everything away at once', async ({
  page,
  browser,
  berth,
}) => {
  test.setTimeout(120_000);
  await makeOwner(berth);
  await enter(page);

  await test.step('an organization', async () => {
    await page.goto('/workspaces');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }).click();
    await page.getByRole('navigation', { name: 'People and access' }).getByRole('link', { name: 'Organizations' }).click();
    await page.getByRole('button', { name: 'New organization' }).click();
    const dialog = page.getByRole('dialog', { name: 'New organization' });
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('no spaces');
    await dialog.getByRole('textbox', { name: 'Display name' }).fill('Harbour works');
    await expect(dialog.getByText('Must consist of letters and digits')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('harbour');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await expect(page.getByRole('heading', { name: 'Harbour works', level: 1 })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Members' }).getByRole('link', { name: 'Ada Byron' })).toBeVisible();
  });

  await test.step('a user in it', async () => {
    await page.getByRole('navigation', { name: 'People and access' }).getByRole('link', { name: 'Users' }).click();
    await page.getByRole('button', { name: 'New user' }).click();
    const dialog = page.getByRole('dialog', { name: 'New user' });
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(GRACE.email);
    await expect(dialog.getByRole('textbox', { name: 'Username' })).toHaveValue(GRACE.username);
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(GRACE.name);
    await dialog.getByLabel(/^Password\b(?! strength)/).fill(GRACE.password);
    await dialog.getByRole('combobox', { name: 'Organizations' }).click();
    await page.getByRole('option', { name: 'Harbour works' }).click();
    await shot(page, 'new user');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('heading', { name: GRACE.name, level: 1 })).toBeVisible();
  });

  await test.step('a group with that user', async () => {
    await page.goto('/people/organizations/harbour?tab=groups');
    await page.getByRole('button', { name: 'New group' }).click();
    const dialog = page.getByRole('dialog', { name: 'New group in Harbour works' });
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('crew');
    await dialog.getByRole('textbox', { name: 'Quota allowance' }).fill('40');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await expect(page.getByRole('heading', { name: 'crew', level: 1 })).toBeVisible();
    await page.getByRole('combobox', { name: 'Add members of the organization' }).click();
    await page.getByRole('option', { name: 'Grace Hopper (grace)' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Members' }).getByRole('link', { name: GRACE.name })).toBeVisible();
    await shot(page, 'group');
  });

  await test.step('a role of the organization, given to them', async () => {
    await page.goto('/people/organizations/harbour?tab=roles');
    await page.getByRole('link', { name: 'New role' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('dock-master');
    await page.getByRole('textbox', { name: 'Display name' }).fill('Dock Master');
    const matrix = page.getByRole('table', { name: 'Permissions in this organization' });
    await matrix.getByRole('checkbox', { name: 'Templates: create' }).check();
    await matrix.getByRole('checkbox', { name: 'Templates: read' }).check();
    await shot(page, 'role');
    await page.getByRole('button', { name: 'Create role' }).click();
    await expect(page.getByRole('table', { name: 'Roles' }).getByRole('link', { name: 'Dock Master' })).toBeVisible();

    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Actions for grace' }).click();
    await page.getByRole('menuitem', { name: 'Roles…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Roles of grace in Harbour works' });
    await dialog.getByRole('checkbox', { name: 'Dock Master' }).check();
    await shot(page, 'member roles');
    await dialog.getByRole('button', { name: 'Save roles' }).click();
    await expect(page.getByRole('row', { name: /Grace Hopper/ }).getByText('Dock Master')).toBeVisible();
  });

  await test.step('why they may do something, and why not', async () => {
    await page.goto('/people/access?user=grace&type=template&action=create');
    await page.getByRole('combobox', { name: 'In organization' }).click();
    await page.getByRole('option', { name: 'Harbour works' }).click();
    await expect(page.getByRole('heading', { name: 'Yes', level: 2 })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Reasons' })).toContainText('Dock Master');
    await shot(page, 'yes');
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'delete' }).click();
    await expect(page.getByRole('heading', { name: 'No', level: 2 })).toBeVisible();
    await expect(page.getByText('Any of these roles would allow it:')).toBeVisible();
    await shot(page, 'no');
  });

  const elsewhere = await browser.newContext({ baseURL: berth.url });
  const theirs = await elsewhere.newPage();
  await test.step('suspended, they are out where they are, at once', async () => {
    await enter(theirs, GRACE);
    await theirs.goto('/workspaces');
    await expect(theirs.getByRole('heading', { name: 'Workspaces', level: 1 })).toBeVisible();
    await expect(theirs.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Templates' })).toBeVisible();

    await page.goto('/people/users/grace');
    await page.getByRole('button', { name: 'Suspend…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Suspend grace?' });
    await expect(dialog.getByText('1 session stops working.')).toBeVisible();
    await shot(page, 'suspend');
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Activate' })).toBeVisible();
    await expect(theirs.getByRole('heading', { name: 'Sign in' })).toBeVisible({ timeout: 5000 });
    await expect(theirs.getByText('Your session has ended.')).toBeVisible();
    await elsewhere.close();
  });
});
