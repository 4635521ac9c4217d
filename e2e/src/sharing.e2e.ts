import { createClient } from '@berth/client';
import { freePort } from './berth.ts';
import { expect, test } from './fixtures.ts';
import { checkLooks } from './looks.ts';
import { enter, makeOwner } from './people.ts';
import { installTemplate, settled } from './provisioning.ts';
import { shot } from './shot.ts';
import { openedTerminal } from './terminal.ts';

const GUEST = { email: 'grace@example.com', username: 'grace', name: 'Grace Hopper', password: 'nine-quiet-harbours-42' } as const;

/** An app with a host of its own, and a second server whose port nobody declared. */
function template(web: number, other: number): string {
  const server = (port: number, text: string) =>
    `node -e 'require("node:http").createServer((q, s) => s.end("<h1>${text}</h1>")).listen(${port}, "127.0.0.1")' > /dev/null 2>&1 &`;
  return `
version: 1
name: Shared
resources:
  - name: box
    type: process
    persistent_home: true
    agent:
      name: main
      directory: '~'
      apps:
        - slug: web
          display_name: Web page
          url: http://localhost:${web}
          subdomain: true
      scripts:
        - display_name: Servers
          run_on_start: true
          script: |
            ${server(web, 'the app of ada')}
            ${server(other, 'the port of ada')}
`;
}

test.use({ settings: { BERTH_WILDCARD_ACCESS_URL: '*.localhost' } });

test('an app, a port and the sight of a terminal are shared with somebody, who has them until they are taken back', async ({
  berth,
  page,
  browser,
}) => {
  const owner = await makeOwner(berth);
  const [organization] = await owner.client.organizations.list.query({});
  await owner.client.users.create.mutate({ ...GUEST, organization_ids: [organization?.id ?? ''] });
  const [web, other] = [await freePort(), await freePort()];
  const templateId = await installTemplate({ berth, owner, name: 'shared', yaml: template(web, other) });
  await owner.client.templates.update.mutate({ template: templateId, max_port_share_level: 'public' });
  const { id } = await owner.client.workspaces.create.mutate({ user: 'me', name: 'quay', template_id: templateId });
  await settled(owner.client, id);
  await enter(page);
  const theirs = await browser.newContext({ baseURL: berth.url });
  const guest = await theirs.newPage();
  await enter(guest, GUEST);

  await test.step('the owner opens the app on a host of its own', async () => {
    await page.goto('/@ada/quay');
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Web page' }).click();
    const app = await opened;
    await expect(app.getByRole('heading', { name: 'the app of ada' })).toBeVisible();
    expect(new URL(app.url()).hostname).toBe('web--main--quay--ada.localhost');
    await app.close();
  });

  await test.step('and shares it for an hour', async () => {
    await guest.goto('/shared');
    await expect(guest.getByText('Nothing is shared with you now')).toBeVisible();
    await checkLooks(guest, 'nothing shared');
    await page.getByRole('tab', { name: 'Sharing' }).click();
    await page.getByRole('button', { name: 'Share…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share quay' });
    await dialog.getByLabel('Who').fill('Grace');
    await page.getByRole('option', { name: 'Grace Hopper (grace)' }).click();
    await dialog.getByLabel('What').click();
    await page.getByRole('option', { name: 'The app Web page' }).click();
    await dialog.getByLabel('For how long').click();
    await page.getByRole('option', { name: '1 hour' }).click();
    await shot(page, 'share');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    const row = page.getByRole('table', { name: 'Shared now' }).getByRole('row', { name: /Grace Hopper/ });
    await expect(row).toContainText('The app web');
    await expect(row).toContainText(/in (?:1 hour|5\d minutes)/);
  });

  await test.step('the guest finds it and opens it', async () => {
    await guest.reload();
    const card = guest.getByRole('listitem', { name: 'ada/quay' });
    await expect(card).toContainText('The app web');
    await shot(guest, 'shared with me');
    const opened = guest.waitForEvent('popup');
    await card.getByRole('link', { name: /Open Web page/ }).click();
    const app = await opened;
    await expect(app.getByRole('heading', { name: 'the app of ada' })).toBeVisible();
    await checkLooks(guest, 'shared with me');
    await app.close();
  });

  await test.step('the owner lets them watch a terminal, into which they cannot type', async () => {
    await page.getByRole('tab', { name: 'Terminal' }).click();
    const terminal = await openedTerminal(page, 'quay');
    await page.getByRole('button', { name: 'More for this terminal' }).click();
    await page.getByRole('menuitem', { name: 'Share this terminal…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share quay' });
    await dialog.getByLabel('Who').fill('grace');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await expect(dialog).toBeHidden();
    await terminal.run('echo "seen-$((6 * 7))"');

    await guest.reload();
    await guest.getByRole('link', { name: 'Watch' }).click();
    await expect(guest.getByText('Watching ada/quay.')).toBeVisible();
    const screen = guest.getByTestId('terminal').locator('.xterm-rows');
    await expect(screen).toContainText('seen-42');
    await guest.getByRole('textbox', { name: /to look on at/ }).pressSequentially('echo intruder');
    await terminal.run('echo "live-$((6 * 7))"');
    await expect(screen).toContainText('live-42');
    await expect(terminal.screen).not.toContainText('intruder');
    const rows = await terminal.screen.locator('> div').count();
    await expect(screen.locator('> div'), 'both see it in one size').toHaveCount(rows);
    await shot(guest, 'watching');
    await checkLooks(guest, 'watching a terminal');
  });

  await test.step('taken back, both say so', async () => {
    await page.getByRole('tab', { name: 'Sharing' }).click();
    await checkLooks(page, 'sharing');
    await shot(page, 'sharing');
    const table = page.getByRole('table', { name: 'Shared now' });
    for (const left of [1, 0]) {
      await table.getByRole('button', { name: 'End now: the share with Grace Hopper' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'End now', exact: true }).click();
      await expect(table.getByRole('row', { name: /Grace/ })).toHaveCount(left);
    }
    await expect(page.getByRole('table', { name: 'Shares that are over' })).toContainText('taken back');
    await expect(guest.getByText(/access to this terminal has ended|Share not found/)).toBeVisible({ timeout: 30_000 });
    await shot(guest, 'taken back');
    const refused = await guest.request
      .get(`http://web--main--quay--ada.localhost:${new URL(berth.url).port}/`, { maxRedirects: 0 })
      .catch(() => null);
    expect(refused === null || !(await refused.text()).includes('the app of ada')).toBe(true);
  });

  await test.step('a port opens by its address, and for everybody once it is shared', async () => {
    await page.getByRole('tab', { name: 'Overview' }).click();
    const port = page.getByRole('listitem', { name: `Port ${other}` });
    await expect(port).toBeVisible({ timeout: 30_000 });
    await port.getByLabel(`Who else opens port ${other}`).click();
    await page.getByRole('option', { name: 'Everybody, without signing in' }).click();
    const client = createClient({ url: berth.url, token: owner.token });
    await expect.poll(async () => (await client.portShares.list.query({ workspace: id })).shares).toHaveLength(1);
    await shot(page, 'ports');
    const opened = page.waitForEvent('popup');
    await port.getByRole('link', { name: `Open port ${other}` }).click();
    const own = await opened;
    await expect(own.getByRole('heading', { name: 'the port of ada' })).toBeVisible();
    const anonymous = await browser.newContext();
    const visitor = await anonymous.newPage();
    await visitor.goto(own.url());
    await expect(visitor.getByRole('heading', { name: 'the port of ada' })).toBeVisible();
    await anonymous.close();
    await checkLooks(page, 'ports');
  });
  await theirs.close();
});
