import { expect, test } from './fixtures.ts';
import { checkLooks } from './looks.ts';
import { enter, makeOwner } from './people.ts';
import { BUILD_TIMEOUT_MS, installTemplate, settled } from './provisioning.ts';
import { shot } from './shot.ts';
import { captured, openedTerminal } from './terminal.ts';

const TEMPLATE = `
version: 1
name: Terminals
resources:
  - name: box
    type: process
    persistent_home: true
    agent:
      name: main
      directory: '~'
      apps:
        - slug: clock
          display_name: Clock
          command: 'echo "tick of $((40 + 2))"; exec sh'
`;

test('terminals are tabs that a reload and a restart of the server find again, and an exit is seen at once', async ({ berth, page }) => {
  const owner = await makeOwner(berth);
  const template = await installTemplate({ berth, owner, name: 'terminals', yaml: TEMPLATE });
  const { id } = await owner.client.workspaces.create.mutate({ user: 'me', name: 'quay', template_id: template });
  await settled(owner.client, id);
  await enter(page);
  const tabs = page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab');
  const tab = (name: string | RegExp) => page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab', { name });
  let pid = '';

  await test.step('two shells side by side, the second one named', async () => {
    await page.goto('/@ada/quay?tab=terminal');
    const first = await openedTerminal(page, 'quay');
    await first.run('echo "first-$((6 * 7))"; echo "pid=$$."');
    pid = await captured(first, /pid=(\d+)\./);
    await page.keyboard.press('Control+Shift+Enter');
    await expect(tabs).toHaveCount(2);
    const second = await openedTerminal(page, 'quay');
    await expect(second.screen).not.toContainText('first-42');
    await second.run('printf "\\033]0;<b>title</b>\\007"; echo "second-$((6 * 7))"');
    await expect(second.screen).toContainText('second-42');
    await expect(tabs.nth(1)).toHaveText('<b>title</b>');
    await tabs.nth(1).press('F2');
    await page.getByRole('dialog', { name: 'Rename terminal' }).getByRole('textbox', { name: 'Name' }).fill('build, one');
    await page.getByRole('button', { name: 'Rename' }).click();
    await expect(tab('build one')).toHaveAttribute('aria-selected', 'true');
    await shot(page, 'two shells');
  });

  await test.step('the keyboard goes from one to the other, and text is found in the scroll-back', async () => {
    await page.getByRole('textbox', { name: 'Terminal of quay' }).press('Control+Shift+Digit1');
    await expect(tabs.nth(0)).toHaveAttribute('aria-selected', 'true');
    const terminal = await openedTerminal(page, 'quay');
    await expect(terminal.screen).toContainText('first-42');
    await page.getByRole('textbox', { name: 'Terminal of quay' }).press('Control+Shift+KeyF');
    const box = page.getByRole('searchbox', { name: 'Find in the terminal' });
    await box.fill('first-42');
    await expect(page.getByText('1 of 1')).toBeVisible();
    await shot(page, 'found');
    await box.press('Escape');
    await expect(page.getByRole('textbox', { name: 'Terminal of quay' })).toBeFocused();
  });

  await test.step('a reload finds both', async () => {
    await page.reload();
    await expect(tabs).toHaveCount(2);
    const terminal = await openedTerminal(page, 'quay');
    await expect(terminal.screen).toContainText('first-42');
    await terminal.run('echo "again=$$."');
    await expect(terminal.screen).toContainText(`again=${pid}.`);
    await tab('build one').click();
    await expect((await openedTerminal(page, 'quay')).screen).toContainText('second-42');
  });

  await test.step('a restart of the server says so calmly, and then both go on', async () => {
    await tabs.nth(0).click();
    await berth.stop();
    await expect(page.getByText('Connection lost.')).toBeVisible();
    await shot(page, 'connecting again');
    await berth.start();
    await expect(page.getByText('Connection lost.')).toBeHidden({ timeout: BUILD_TIMEOUT_MS });
    const terminal = await openedTerminal(page, 'quay');
    await expect(terminal.screen).toContainText('first-42');
    await terminal.run('echo "restarted=$$."');
    await expect(terminal.screen).toContainText(`restarted=${pid}.`);
  });

  await test.step('an exit is told with its code, and another shell is one key away', async () => {
    const terminal = await openedTerminal(page, 'quay');
    await terminal.run('exit 3');
    await expect(page.getByText('The shell exited with code 3.')).toBeVisible();
    await shot(page, 'ended');
    await page.keyboard.press('Enter');
    const next = await openedTerminal(page, 'quay');
    await next.run('echo "new=$$."');
    expect(await captured(next, /new=(\d+)\./)).not.toBe(pid);
  });

  await test.step('a closed tab comes back with Undo, its shell as it was', async () => {
    await tab('build one').press('Delete');
    await expect(tabs).toHaveCount(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(tabs).toHaveCount(2);
    await expect((await openedTerminal(page, 'quay')).screen).toContainText('second-42');
    await checkLooks(page, 'terminals');
  });

  await test.step('an app that is a command opens in a terminal; a link to one asks first', async () => {
    await page.goto('/@ada/quay');
    await page.getByRole('link', { name: 'Clock' }).click();
    await expect(page.getByTestId('terminal')).toContainText('tick of 42');
    const address = page.url();
    await expect(tab('clock')).toBeVisible();
    const visit = await page.context().newPage();
    await visit.goto(address);
    await expect(visit.getByText('This link runs a command')).toBeVisible();
    await shot(visit, 'asks before it runs');
  });
});
