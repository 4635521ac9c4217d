import { type Client, createClient } from '@berth/client';
import type { Page } from '@playwright/test';
import type { Berth } from './berth.ts';

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

export interface Owner {
  /** Acts as the owner. */
  readonly client: Client;
  readonly token: string;
}

/** Makes the first account through the API. */
export async function makeOwner({ url }: Berth): Promise<Owner> {
  const anonymous = createClient({ url });
  await anonymous.users.createFirst.mutate({ ...OWNER });
  const { session_token: token } = await anonymous.auth.login.mutate({ email: OWNER.email, password: OWNER.password });
  return { client: createClient({ url, token }), token };
}

/** Signs the browser in without a page, as the owner unless told. */
export async function enter(page: Page, { email, password }: { readonly email: string; readonly password: string } = OWNER): Promise<void> {
  const response = await page.request.post('/api/v2/users/login', { data: { email, password } });
  if (!response.ok()) throw new Error(`Signing in as ${email} was answered with ${response.status()}.`);
}
