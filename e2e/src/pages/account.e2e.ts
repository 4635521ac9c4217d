import { checkLooks, enter, expect, test } from './house.ts';

test('a person sets up their account with the keyboard alone', async ({ visitor: page, house }) => {
  await enter(page, await house.person('edith-account'));
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.focus();
  await page.keyboard.type('Edith Clarke');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your profile is saved.')).toBeVisible();

  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'API tokens' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'API tokens', level: 1 })).toBeFocused();
  // From the heading on, the next stop is what the page is for.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'New token' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).focus();
  await page.keyboard.type('laptop');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('shown this once')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(page.getByRole('row', { name: /laptop/ })).toBeVisible();
  await checkLooks(page, 'own tokens');
});
