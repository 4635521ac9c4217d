import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Page, expect, test as base } from '@playwright/test';
import type { Berth } from './berth.ts';
import { freePort, startBerth } from './berth.ts';
import { startOidcProvider } from './oidc-provider.ts';
import { checkLooks } from './looks.ts';
import { OWNER, signIn } from './people.ts';
import { shot } from './shot.ts';

const CLIENT = { clientId: 'berth', clientSecret: 'a-client-secret-of-our-own' };

/** A fresh server with the settings of docs/guides/sign-on.md, where oidc-provider stands in for the named one. */
const test = base.extend<{ berth: Berth }>({
  berth: async ({}, use, testInfo) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const provider = await startOidcProvider({ ...CLIENT, callback: `${url}/api/v2/users/oidc/callback` });
    const file = join(testInfo.outputDir, 'berth.yaml');
    await mkdir(testInfo.outputDir, { recursive: true });
    await writeFile(
      file,
      [
        'sign_on:',
        '  providers:',
        '    - type: oidc',
        '      id: keycloak',
        '      display_name: Example staff',
        `      issuer_url: ${provider.issuer}`,
        `      client_id: ${CLIENT.clientId}`,
        '      client_secret: ${BERTH_KEYCLOAK_SECRET}',
        '      allowed_email_domains: [example.com]',
      ].join('\n'),
    );
    const berth = await startBerth({
      env: {
        BERTH_CONFIG_FILE: file,
        BERTH_KEYCLOAK_SECRET: CLIENT.clientSecret,
        BERTH_FIRST_USER_EMAIL: OWNER.email,
        BERTH_FIRST_USER_USERNAME: OWNER.username,
        BERTH_FIRST_USER_PASSWORD: OWNER.password,
      },
      port,
    });
    await use(berth);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('server log', { body: berth.log(), contentType: 'text/plain' });
    }
    await berth.dispose();
    await provider.stop();
  },
  baseURL: async ({ berth }, use) => use(berth.url),
});

test('a person signs in with the page of their provider, works, and signs out', async ({ page }) => {
  await page.goto('/templates');
  await page.getByRole('link', { name: 'Continue with Example staff' }).click();

  await agreeAs(page, 'grace');

  await expect(page.getByRole('heading', { name: 'Templates', level: 1 })).toBeVisible();
  const me = await page.request.get('/api/v2/users/me');
  expect(await me.json()).toMatchObject({ username: 'grace', email: 'grace@example.com', name: 'Grace Hopper', login_type: 'oidc' });

  await page.getByRole('button', { name: 'Account of grace' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect((await page.request.get('/api/v2/users/me')).status()).toBe(401);

  await page.goto('/api/v2/users/oidc/callback?code=made-up&state=made-up');
  await expect(page.getByText('That attempt to sign in is over')).toBeVisible();
});

test('a person exchanges their password for the provider, and is told why where that fails', async ({ page }) => {
  await page.goto('/login?redirect=/account/security');
  await signIn(page);
  const convert = async (password: string): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in with a provider…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in with a provider' });
    await dialog.getByLabel(/^Your password/).fill(password);
    await dialog.getByRole('button', { name: 'Continue with Example staff' }).click();
  };

  await convert('not-my-password');
  await expect(page.getByText('The password is wrong.')).toBeVisible();
  await checkLooks(page, 'convert');
  await shot(page, 'convert');
  await page.keyboard.press('Escape');

  await convert(OWNER.password);
  await agreeAs(page, 'somebody-else');
  await expect(page.getByRole('alert')).toContainText('another e-mail address');
  await page.getByRole('link', { name: 'Back to your account' }).click();
  await expect(page.getByText('You sign in with your password.')).toBeVisible();

  // The provider would know its person again.
  await page.context().clearCookies({ name: /^_/ });
  await convert(OWNER.password);
  await agreeAs(page, 'ada');
  await expect(page.getByText('You sign in with a provider, and have no password here.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Linked accounts' })).toContainText('Example staff');
  await checkLooks(page, 'sign-on accounts');
  await shot(page, 'sign-on accounts');
});

/** On the provider's own pages: who one is, and that Berth may know it. */
async function agreeAs(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('anything');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
