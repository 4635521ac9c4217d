import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@berth/client';
import { expect, test } from './fixtures.ts';
import { checkLooks } from './looks.ts';
import { makeOwner, signIn } from './people.ts';
import { BUILD_TIMEOUT_MS, installTemplate } from './provisioning.ts';
import { shot } from './shot.ts';
import { openedTerminal } from './terminal.ts';

/** Logging in waits until a file is there. */
const TEMPLATE = `
version: 1
name: Gated
resources:
  - name: box
    type: process
    persistent_home: true
    agent:
      name: main
      display_apps: [vscode, web_terminal, ssh_helper, port_forwarding_helper]
      directory: '~'
      scripts:
        - display_name: Prepare
          run_on_start: true
          start_blocks_login: true
          timeout: 120
          script: |
            echo "preparing $((40 + 2)) things"
            until [ -e "$HOME/may-go-on" ]; do sleep 0.05; done
`;

test('a visitor gets a token for the command line after signing in, and every way into a workspace in words to copy', async ({
  berth,
  page,
}) => {
  const owner = await makeOwner(berth);
  const template = await installTemplate({ berth, owner, name: 'gated', yaml: TEMPLATE });
  const { id } = await owner.client.workspaces.create.mutate({ user: 'me', name: 'quay', template_id: template });

  await test.step('signing in comes back to the page that the command line opened', async () => {
    await page.goto('/cli-auth');
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible();
    await signIn(page);
    await expect(page.getByRole('heading', { name: 'Sign in the command line' })).toBeVisible();
    await expect(page.getByText('You are signed in as ada')).toBeVisible();
    expect(await owner.client.tokens.list.query({ user: 'me' }), 'nothing is made without a click').toEqual([]);
    await checkLooks(page, 'cli-auth');
    await shot(page, 'cli-auth');
  });

  await test.step('one button makes a token, which is shown once and works', async () => {
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = (await page.getByLabel('The new token').innerText()).trim();
    await checkLooks(page, 'a token for the command line');
    const me = await createClient({ url: berth.url, token }).users.get.query({ user: 'me' });
    expect(me.username).toBe('ada');
    const [made] = await owner.client.tokens.list.query({ user: 'me' });
    expect(made?.token_name).toMatch(/^cli-\d{8}-\d{6}$/);
    expect(made?.lifetime_seconds).toBe(30 * 86_400);
    await page.getByRole('button', { name: 'Done' }).click();
  });

  await test.step('a terminal waits for the start script that logging in waits for, and shows what it does', async () => {
    await page.goto('/@ada/quay?tab=terminal');
    await expect(page.getByRole('heading', { name: 'The start script is still at work' })).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
    await expect(page.getByRole('log', { name: 'Script logs of main' })).toContainText('preparing 42 things');
    await shot(page, 'start script');
    await checkLooks(page, 'a start script');
    await writeFile(join(berth.dataDir, 'provisioner', 'workspaces', id, 'home', 'may-go-on'), '');
    const terminal = await openedTerminal(page, 'quay');
    await terminal.run('echo "in-$((6 * 7))"');
    await expect(terminal.screen).toContainText('in-42');
  });

  await test.step('the ways in: command line, OpenSSH, editors', async () => {
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Connect' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect to quay' });
    await expect(dialog.getByText('berth ssh quay')).toBeVisible();
    await expect(dialog.getByText('ssh berth.quay', { exact: true })).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'VS Code', exact: true })).toHaveAttribute(
      'href',
      /^vscode:\/\/vscode-remote\/ssh-remote\+berth\.quay\//,
    );
    await shot(page, 'connect');
    await checkLooks(page, 'connect');
  });
});
