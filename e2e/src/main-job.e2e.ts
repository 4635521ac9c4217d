import { expect, test } from './fixtures.ts';
import { checkLooks } from './looks.ts';
import { OWNER, setUp, signIn } from './people.ts';
import { shot } from './shot.ts';
import { captured, openedTerminal } from './terminal.ts';

test('a visitor of a fresh server gets to a shell of their own, and all of it is in the audit log', async ({ page }) => {
  test.setTimeout(180_000);

  await test.step('the first account', async () => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Set up Berth' })).toBeVisible();
    await checkLooks(page, 'set up');
    await setUp(page);
    await expect(page.getByRole('button', { name: 'Use Empty shell' })).toBeVisible();
    await shot(page, 'no workspaces yet');
  });

  await test.step('a starter template, and a workspace from it', async () => {
    await page.getByRole('button', { name: 'Use Empty shell' }).click();
    await expect(page.getByRole('heading', { name: 'New workspace' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Name' }).fill('harbour');
    await shot(page, 'create form');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await expect(page.getByRole('heading', { name: 'harbour', level: 1 })).toBeVisible();
  });

  await test.step('its build, live, until it runs', async () => {
    await expect(page.getByText('Running', { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Agent main' }).getByText('Ready', { exact: true })).toBeVisible();
    await shot(page, 'running');
    await page.getByRole('tab', { name: 'Builds' }).click();
    await page.getByRole('link', { name: /^#?1\b/ }).click();
    await expect(page.getByRole('log')).toContainText('agent main started');
    await shot(page, 'build');
    await page.goBack();
  });

  await test.step('a shell that outlives a reload', async () => {
    await page.getByRole('tab', { name: 'Terminal' }).click();
    const terminal = await openedTerminal(page, 'harbour');
    await terminal.run('echo "harbour-$((6 * 7))"; kept=anchor; echo "pid=$$."');
    await expect(terminal.screen).toContainText('harbour-42');
    const pid = await captured(terminal, /pid=(\d+)\./);
    await shot(page, 'terminal');

    await page.reload();
    const again = await openedTerminal(page, 'harbour');
    await expect(again.screen).toContainText('harbour-42');
    await again.run('echo "again=$$.$kept."');
    await expect(again.screen).toContainText(`again=${pid}.anchor.`);
    await shot(page, 'terminal after a reload');
  });

  await test.step('stop and delete', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByText('Stopped', { exact: true })).toBeVisible();
    await shot(page, 'stopped');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete harbour' });
    await expect(dialog.getByRole('button', { name: 'Delete workspace' })).toBeDisabled();
    await dialog.getByRole('textbox', { name: 'Type harbour to confirm' }).fill('harbour');
    await shot(page, 'delete');
    await dialog.getByRole('button', { name: 'Delete workspace' }).click();
    await expect(page.getByText('Deleted', { exact: true })).toBeVisible();
    await shot(page, 'deleted');
  });

  await test.step('sign out, and in again where one was', async () => {
    await page.getByRole('button', { name: `Account of ${OWNER.username}` }).click();
    await shot(page, 'account menu');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.goto('/audit');
    await shot(page, 'sign in');
    await signIn(page);
    await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
  });

  await test.step('the audit log knows everything', async () => {
    for (const sentence of [
      'ada created user ada',
      'ada created template shell',
      'ada created workspace harbour',
      'ada started workspace harbour',
      'ada stopped workspace harbour',
      'ada deleted workspace harbour',
      'ada logged out',
    ]) {
      await expect(page.getByRole('button', { name: sentence }).first()).toBeVisible();
    }
    await expect(page.getByRole('button', { name: 'ada logged in' })).toHaveCount(2);
    await page.getByRole('button', { name: 'ada created workspace harbour' }).first().click();
    const changes = page.getByRole('table', { name: 'Changes' });
    await expect(changes.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'name', exact: true }) })).toContainText(
      'harbour',
    );
    await shot(page, 'audit log');
  });
});
