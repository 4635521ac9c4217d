import { checkLooks, expect, test } from './house.ts';

test('whoever is not signed in is asked to, and comes to the page that they wanted', async ({ visitor, house }) => {
  const grace = await house.person('grace-signs-in');
  await visitor.goto('/templates');
  await expect(visitor.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible();
  await checkLooks(visitor, 'sign in');
  await visitor.getByRole('textbox', { name: 'E-mail' }).fill(grace.email);
  await visitor.getByLabel('Password', { exact: true }).fill('not-my-password');
  await visitor.getByRole('button', { name: 'Sign in' }).click();
  await expect(visitor.getByRole('alert')).toBeVisible();
  await visitor.getByLabel('Password', { exact: true }).fill(grace.password);
  await visitor.getByRole('button', { name: 'Sign in' }).click();
  await expect(visitor.getByRole('heading', { name: 'Templates', level: 1 })).toBeVisible();
});
