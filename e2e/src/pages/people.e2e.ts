import { createClient } from '@berth/client';
import { checkLooks, enter, expect, test } from './house.ts';

test('an owner finds a token that nothing uses, and takes it away at once', async ({ page, house }) => {
  const person = await house.person('joan-people');
  const anonymous = createClient({ url: house.berth.url });
  const { session_token: session } = await anonymous.auth.login.mutate({ email: person.email, password: person.password });
  const { key } = await createClient({ url: house.berth.url, token: session }).tokens.create.mutate({
    user: 'me',
    token_name: 'night-job',
  });
  const withToken = createClient({ url: house.berth.url, token: key });

  await page.goto('/admin/tokens?unused=90');
  await expect(page.getByRole('heading', { name: 'No such token' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all tokens' }).click();
  await page.getByRole('searchbox', { name: 'Search tokens' }).fill('joan');
  const row = page.getByRole('row', { name: /night-job/ });
  await expect(row.getByRole('cell', { name: 'never' })).toBeVisible();
  await expect(page).toHaveURL(/\?q=joan$/);
  await expect(page.getByRole('status').filter({ hasText: '1 token' })).toBeVisible();
  await checkLooks(page, 'tokens of all');
  expect((await withToken.users.get.query({ user: 'me' })).username).toBe('joan-people');
  await row.getByRole('button', { name: 'Revoke night-job of joan-people' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('night-job of joan-people is revoked.')).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(withToken.users.get.query({ user: 'me' })).rejects.toMatchObject({ data: { kind: 'unauthenticated' } });
});

test('members are found by name, and sync settings tried before they are saved', async ({ page, house }) => {
  await house.person('katherine-people');
  await page.goto('/people/organizations/default');
  await page.getByRole('searchbox', { name: 'Search members' }).fill('katherine');
  await expect(page.getByRole('status').filter({ hasText: '1 member' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Members' }).getByRole('link', { name: 'katherine-people' })).toBeVisible();

  await page.getByRole('tab', { name: 'Sign-on sync' }).click();
  await page.getByRole('region', { name: 'Groups' }).getByRole('combobox', { name: 'Claim' }).fill('groups');
  await page.getByRole('region', { name: 'Groups' }).getByRole('checkbox', { name: 'Make groups that are missing' }).check();
  const trial = page.getByRole('region', { name: 'Try claims' });
  await expect(trial.getByRole('checkbox', { name: /before they are saved/ })).toBeChecked();
  await trial.getByRole('button', { name: 'Try' }).click();
  await expect(trial.getByTestId('dry-run')).toContainText('does not make them a member');
  await trial.getByRole('combobox', { name: 'Whose sign-in it would be' }).fill('katherine');
  await page.getByRole('option', { name: /katherine-people/ }).click();
  await trial.getByRole('button', { name: 'Try' }).click();
  await expect(trial.getByTestId('dry-run')).toContainText('engineering');
});

test('whoever follows a link to a closed page is told why', async ({ visitor: page, house }) => {
  await enter(page, await house.person('mary-people'));
  await page.goto('/admin/tokens');
  await expect(page.getByRole('heading', { name: 'Tokens of others are not for your role' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to your own tokens' }).click();
  await expect(page.getByRole('heading', { name: 'API tokens', level: 1 })).toBeFocused();
  await page.goto('/people/sync');
  await expect(page.getByRole('heading', { name: 'The sync settings are not for your role' })).toBeVisible();
  await checkLooks(page, 'a closed page');
});
