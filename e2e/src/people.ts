import type { Page } from '@playwright/test';

/** Who owns the tested product. */
export const OWNER = { email: 'ada@example.com', username: 'ada', name: 'Ada Byron', password: 'seven-quiet-harbours-42' } as const;

/** Makes the first account on the set-up page, as the first visitor does, and ends on the list of workspaces. */
export async function setUp(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('heading', { name: 'Set up Berth' }).waitFor();
  await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Username' }).fill(OWNER.username);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(OWNER.name);
  await page.getByLabel(/^Password\b(?! strength)/).fill(OWNER.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
}

/** Signs in on the sign-in page that is open. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
