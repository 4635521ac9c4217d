import { createClient } from '@berth/client';
import type { Page } from '@playwright/test';
import { BUILD_TIMEOUT_MS } from '../provisioning.ts';
import type { Person } from './house.ts';
import { checkLooks, enter, expect, test } from './house.ts';

async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

test('whoever is not signed in is asked to, and comes to the page that they wanted', async ({ visitor, house }) => {
  const grace = await house.person('grace-signs-in');
  await visitor.goto('/templates');
  await expect(heading(visitor, 'Sign in')).toBeVisible();
  await checkLooks(visitor, 'sign in');
  await signIn(visitor, { ...grace, password: 'not-my-password' });
  await expect(visitor.getByRole('alert')).toBeVisible();
  await signIn(visitor, grace);
  await expect(heading(visitor, 'Templates')).toBeVisible();
});

test('after a session ends, however it ends, the sign-in page works without a reload', async ({ visitor, house }) => {
  const grace = await house.person('grace-signs-out');
  await enter(visitor, grace);

  await test.step('signed out', async () => {
    await visitor.goto('/templates');
    await visitor.getByRole('button', { name: `Account of ${grace.username}` }).click();
    await visitor.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn(visitor, grace);
    await expect(heading(visitor, 'Workspaces')).toBeVisible();
  });

  await test.step('revoked elsewhere', async () => {
    const anonymous = createClient({ url: house.berth.url });
    const { session_token } = await anonymous.auth.login.mutate({ email: grace.email, password: grace.password });
    await createClient({ url: house.berth.url, token: session_token }).tokens.deleteAll.mutate({ user: 'me', except_current: true });
    await expect(visitor.getByText('Your session has ended.')).toBeVisible();
    await signIn(visitor, grace);
    await expect(heading(visitor, 'Workspaces')).toBeVisible();
  });

  await test.step('without its cookie', async () => {
    await visitor.context().clearCookies();
    // By the keyboard: a request of the page that is open may end the session before a link is clicked.
    await visitor.keyboard.press('g');
    await visitor.keyboard.press('t');
    await expect(visitor.getByText('Your session has ended.')).toBeVisible();
    await signIn(visitor, grace);
    await expect(visitor.getByRole('heading', { name: /^(Templates|Workspaces)$/, level: 1 })).toBeVisible();
  });

  await test.step('replaced by changing the password', async () => {
    await visitor.goto('/account/security');
    await visitor.getByLabel('Current password').fill(grace.password);
    await visitor.getByLabel('New password').fill('two-slow-ferries-at-noon-8');
    await visitor.getByRole('button', { name: 'Change password' }).click();
    await expect(visitor.getByText('Your password is changed.')).toBeVisible();
    await visitor.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workspaces' }).click();
    await expect(heading(visitor, 'Workspaces')).toBeVisible();
  });
});

test('a page that is opened while the server restarts loads when the server is back', async ({ page, visitor, house }) => {
  await test.step('its files do not load at first', async () => {
    await visitor.route('**/assets/index-*.js', (route) => route.abort());
    await visitor.goto('/templates');
    await expect(visitor.getByText('The server cannot be reached. Trying again…')).toBeVisible();
    await visitor.unroute('**/assets/index-*.js');
    await expect(heading(visitor, 'Sign in')).toBeVisible();
  });

  await test.step('its first query is not answered at first', async () => {
    await visitor.route('**/api/rpc/**', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }));
    await visitor.goto('/login');
    await expect(visitor.getByText('The server cannot be reached. Trying again…')).toBeVisible();
    await visitor.unroute('**/api/rpc/**');
    await expect(visitor.getByRole('textbox', { name: 'E-mail' })).toBeVisible();
  });

  await test.step('the server is really away', async () => {
    await page.goto('/workspaces');
    await expect(heading(page, 'Workspaces')).toBeVisible();
    await house.berth.stop();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit' }).click();
    await expect(page.getByText('The server cannot be reached. Trying again…')).toBeVisible();
    await house.berth.start();
    await expect(heading(page, 'Audit log')).toBeVisible();
    await expect(page.getByText('The server cannot be reached. Trying again…')).toBeHidden();
    await expect(page.getByText('Live updates are interrupted.')).toBeHidden();
  });

  await test.step('the next stories find the workspace connected', async () => {
    const status = async () => (await house.owner.client.agents.get.query({ workspaceagent: house.workspace.agentId })).status;
    await expect.poll(status, { timeout: BUILD_TIMEOUT_MS }).toBe('connected');
  });
});
