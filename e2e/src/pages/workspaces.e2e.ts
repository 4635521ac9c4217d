import { settled } from '../provisioning.ts';
import type { House, Person } from './house.ts';
import { checkLooks, enter, expect, test } from './house.ts';

const BUILD = { timeout: 60_000 };

/** A person with these workspaces, which run. */
async function personWith(house: House, username: string, names: readonly string[]): Promise<Person> {
  const person = await house.person(username);
  const { client } = house.owner;
  const template = house.templates.shell;
  const made = await Promise.all(names.map((name) => client.workspaces.create.mutate({ user: username, name, template_id: template })));
  await Promise.all(made.map(({ id }) => settled(client, id)));
  return person;
}

test('a search is typed with completion, told what is wrong with it, kept as a view, and found again in another browser', async ({
  page,
  visitor,
  house,
}) => {
  await personWith(house, 'grace-lists', ['cobol', 'flow-matic']);
  await page.goto('/workspaces');
  await expect(page.getByRole('row', { name: /cobol/ })).toBeVisible();
  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: 'Search workspaces' });
  await expect(search).toBeFocused();
  await page.keyboard.type('ow');
  await expect(page.getByRole('option', { name: /^owner:/ })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(search).toHaveValue('owner:');
  await page.keyboard.type('grace-l');
  await expect(page.getByRole('option', { name: /^grace-lists/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(search).toHaveValue('owner:grace-lists ');
  await expect(page.getByText('2 workspaces found')).toBeVisible();

  await page.keyboard.type('status:flying');
  await page.keyboard.press('Enter');
  await expect(page.getByText('"flying" is not one of: pending')).toBeVisible();
  await expect(page).toHaveURL(/q=owner:grace-lists$/);
  await checkLooks(page, 'a search with a mistake');
  await search.fill('owner:grace-lists');

  const name = page.getByRole('columnheader', { name: 'Name' });
  await name.getByRole('button').click();
  await name.getByRole('button').click();
  await expect(name).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('row').nth(1)).toContainText('flow-matic');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('What Grace has');
  await page.getByRole('button', { name: 'Save view' }).click();
  await expect(page.getByRole('button', { name: 'Views: What Grace has' })).toBeVisible();

  await enter(visitor);
  await visitor.goto('/workspaces');
  await visitor.getByRole('button', { name: /^Views/ }).click();
  await visitor.getByRole('menuitem', { name: 'What Grace has' }).click();
  await expect(visitor).toHaveURL(/q=owner:grace-lists&sort=-name/);
  await expect(visitor.getByRole('row').nth(1)).toContainText('flow-matic');
});

test('workspaces stand as cards, are chosen with the keyboard and stopped together, each followed to its end', async ({
  visitor: page,
  house,
}) => {
  await enter(page, await personWith(house, 'joan-lists', ['east', 'west']));
  await page.goto('/workspaces');
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Cards').click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('list', { name: 'Workspaces' }).getByRole('listitem')).toHaveCount(2);
  await expect(page).toHaveURL(/view=cards/);
  await checkLooks(page, 'cards');

  await page.goto('/workspaces');
  await expect(page.getByRole('row', { name: /west/ })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('row', { name: /east/ }).getByRole('link')).toBeFocused();
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  const toolbar = page.getByRole('toolbar', { name: 'Selected workspaces' });
  await expect(toolbar).toContainText('2 selected');
  await toolbar.getByRole('button', { name: 'Stop' }).click();
  const preview = page.getByRole('dialog', { name: 'Stop 2 workspaces' });
  await expect(preview.getByRole('row', { name: /joan-lists\/west/ })).toContainText('will stop');
  await checkLooks(page, 'what will be stopped');
  await preview.getByRole('button', { name: 'Stop 2 workspaces' }).click();
  const results = page.getByRole('dialog', { name: 'What came of 2 workspaces' });
  for (const workspace of ['east', 'west']) {
    await expect(results.getByRole('row', { name: new RegExp(`joan-lists/${workspace}`) })).toContainText('is stopped', BUILD);
  }
  await results.getByRole('button', { name: 'Done' }).click();
  await expect(toolbar).toBeHidden();
});
