import { writeFile } from 'node:fs/promises';
import { createClient } from '@berth/client';
import { type CodeHost, DEVICE_USER_CODE, startCodeHost } from './code-host.ts';
import { expect, test as base } from './fixtures.ts';
import { checkLooks } from './looks.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { OWNER, makeOwner } from './people.ts';
import { shot } from './shot.ts';

const NEW_PASSWORD = 'nine-tidal-lanterns-31';

const test = base.extend<{ mailbox: Mailbox; host: CodeHost }>({
  mailbox: async ({}, use) => {
    const mailbox = await startMailbox();
    await use(mailbox);
    await mailbox.close();
  },
  host: async ({}, use) => {
    const host = await startCodeHost();
    await use(host);
    await host.close();
  },
  settings: async ({ mailbox, host }, use, testInfo) => {
    const file = testInfo.outputPath('berth.yaml');
    const known = {
      client_id: 'berth',
      token_url: `${host.url}/token`,
      validate_url: `${host.url}/user`,
      user_info_url: `${host.url}/user`,
    };
    const external_auth = [
      { id: 'forge', type: 'gitea', display_name: 'Forge', client_secret: 'secret', authorize_url: `${host.url}/authorize`, ...known },
      {
        ...known,
        id: 'hub',
        type: 'gitea',
        display_name: 'Code hub',
        device_flow: true,
        device_code_url: `${host.url}/device`,
        token_url: `${host.url}/device-token`,
      },
    ];
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ external_auth, mail: { smtp_url: mailbox.url, from: 'Berth <berth@example.com>' } }));
    await use({ BERTH_CONFIG_FILE: file });
  },
});

test('a person gets back in by mail, limits a token, ends a session elsewhere, and links accounts', async ({
  page,
  berth,
  mailbox,
  host,
}) => {
  test.setTimeout(120_000);
  const { token: elsewhere } = await makeOwner(berth);
  const link = (name: string) => page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name });

  await test.step('a forgotten password', async () => {
    await page.goto('/login?redirect=/account/security');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email);
    await page.getByRole('button', { name: 'Send the code' }).click();
    await expect(page.getByRole('status')).toContainText('If there is an account');
    await checkLooks(page, 'reset password');
    const mail = await mailbox.next(OWNER.email);
    // Alone in its line: the id of the message looks like it.
    const [code = ''] = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\r?$)/m.exec(mail) ?? [];
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.getByLabel(/^New password/).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Workspaces', level: 1 })).toBeVisible();
    // Whoever had got in with the old password is out.
    await expect(createClient({ url: berth.url, token: elsewhere }).users.get.query({ user: 'me' })).rejects.toThrow();
  });

  await test.step('a name that is free, and one that is not', async () => {
    const { session_token: token } = await createClient({ url: berth.url }).auth.login.mutate({
      email: OWNER.email,
      password: NEW_PASSWORD,
    });
    const client = createClient({ url: berth.url, token });
    const { organization_ids } = await client.users.get.query({ user: 'me' });
    await client.users.create.mutate({ email: 'grace@example.com', username: 'grace', login_type: 'none', organization_ids });
    await page.goto('/account');
    await page.getByRole('textbox', { name: 'Username' }).fill('grace');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('textbox', { name: 'Username' })).toHaveAccessibleDescription(/taken|in use|another/i);
    await page.getByRole('textbox', { name: 'Username' }).fill('ada-byron');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: 'Account of ada-byron' })).toBeVisible();
    await checkLooks(page, 'profile');
  });

  await test.step('a session elsewhere ends', async () => {
    await link('Security').click();
    const sessions = page.getByRole('list', { name: 'Sessions' });
    await expect(sessions.getByText('This browser')).toBeVisible();
    await checkLooks(page, 'security');
    await shot(page, 'security');
    await sessions
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await expect(sessions.getByRole('button', { name: /^End the session/ })).toHaveCount(0);
  });

  await test.step('a token that may only read templates', async () => {
    await link('API tokens').click();
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API token' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('gallery');
    await dialog.getByRole('radio', { name: 'Chosen permissions' }).check();
    await dialog.getByRole('searchbox', { name: 'Find permissions' }).fill('template:read');
    await dialog.getByRole('group', { name: 'Templates', exact: true }).getByRole('checkbox', { name: 'read', exact: true }).check();
    await checkLooks(page, 'new token');
    await shot(page, 'new token');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const token = (await dialog.getByLabel('The new token').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('table', { name: 'API tokens' })).toContainText('limited');
    await checkLooks(page, 'tokens');
    const client = createClient({ url: berth.url, token });
    expect(await client.templates.list.query({})).toEqual([]);
    await expect(client.tokens.create.mutate({ user: 'me', token_name: 'more' })).rejects.toThrow();
  });

  await test.step('another key for git', async () => {
    await link('SSH key').click();
    const key = page.getByLabel('Your public key');
    const before = (await key.textContent()) ?? '';
    expect(before).toContain('ssh-ed25519');
    await checkLooks(page, 'SSH key');
    await page.getByRole('button', { name: 'Make a new one…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new key' }).click();
    await expect(key).not.toHaveText(before);
  });

  await test.step('an account at a code host, refused, then linked, then unlinked', async () => {
    await link('External accounts').click();
    host.answer('deny');
    await page.getByRole('link', { name: 'Link Forge' }).click();
    await expect(page.getByRole('alert')).toContainText('agree when it asks');
    host.answer('allow');
    await page.getByRole('link', { name: 'Link with Forge' }).click();
    await expect(page.getByText('Your account is linked')).toBeVisible();
    await expect(page.getByRole('link', { name: 'ada-l' })).toBeVisible();
    await checkLooks(page, 'linked');
    await shot(page, 'linked');
    await page.getByRole('button', { name: 'Unlink…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await expect(page.getByRole('link', { name: 'Link with Forge' })).toBeVisible();
  });

  await test.step('one by a code that is entered on another device', async () => {
    await page.getByRole('link', { name: 'All external accounts' }).click();
    await checkLooks(page, 'external accounts');
    await page.getByRole('link', { name: 'Link Code hub' }).click();
    await expect(page.getByLabel('The code to enter')).toHaveText(DEVICE_USER_CODE);
    await checkLooks(page, 'device code');
    await shot(page, 'device code');
    host.enterDeviceCode();
    await expect(page.getByRole('heading', { name: 'Linked' })).toBeVisible();
  });
});
