import { expect, test } from './fixtures.ts';
import { checkLooks } from './looks.ts';
import { enter, makeOwner } from './people.ts';
import { BUILD_TIMEOUT_MS, installStarter, settled } from './provisioning.ts';
import { shot } from './shot.ts';

test('many workspaces are stopped and deleted together, each with an answer of its own', async ({ page, berth }) => {
  test.setTimeout(180_000);
  const { client } = await makeOwner(berth);
  const template = await installStarter(client, 'Empty shell');
  const names = ['north', 'south', 'west'] as const;
  const made = await Promise.all(names.map((name) => client.workspaces.create.mutate({ user: 'me', name, template_id: template })));
  await Promise.all(made.map(({ id }) => settled(client, id)));
  await enter(page);
  await page.goto('/workspaces');

  await test.step('two of three stopped', async () => {
    await page.getByRole('checkbox', { name: 'Select ada/north' }).check();
    await page.getByRole('checkbox', { name: 'Select ada/south' }).check();
    await expect(page.getByRole('toolbar', { name: 'Selected workspaces' })).toContainText('2 selected');
    await checkLooks(page, 'selected workspaces');
    await shot(page, 'selected');
    await page.getByRole('toolbar').getByRole('button', { name: 'Stop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop 2 workspaces' });
    await expect(dialog.getByRole('row', { name: /ada\/north/ })).toContainText('will stop');
    await shot(page, 'preview');
    await dialog.getByRole('button', { name: 'Stop 2 workspaces' }).click();
    const answers = page.getByRole('dialog', { name: 'What came of 2 workspaces' });
    await expect(answers.getByRole('row', { name: /ada\/south/ })).toContainText('Done');
    await answers.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('row', { name: /north/ }).getByText('Stopped', { exact: true })).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
    await expect(page.getByRole('row', { name: /south/ }).getByText('Stopped', { exact: true })).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
    await expect(page.getByRole('row', { name: /west/ }).getByText('Running', { exact: true })).toBeVisible();
  });

  await test.step('all chosen for a stop: those that are stopped already have nothing to do', async () => {
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Stop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop 3 workspaces' });
    await expect(dialog.getByRole('row', { name: /ada\/north/ })).toContainText('Nothing to do');
    await expect(dialog.getByRole('button', { name: 'Stop 1 workspace' })).toBeEnabled();
    await checkLooks(page, 'preview of a stop');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('deleted once their number was typed', async () => {
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 3 workspaces' });
    const confirm = dialog.getByRole('button', { name: 'Delete 3 workspaces' });
    await expect(dialog.getByRole('row', { name: /ada\/west/ })).toContainText('will be deleted');
    await expect(confirm).toBeDisabled();
    await dialog.getByRole('textbox', { name: 'Type delete 3 to confirm' }).fill('delete 3');
    await shot(page, 'delete many');
    await confirm.click();
    await page.getByRole('dialog', { name: 'What came of 3 workspaces' }).getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('heading', { name: 'No workspaces yet' })).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
  });
});

test('provisioners, their keys, quiet hours and quota are there for those whom they concern', async ({ page, berth }) => {
  await makeOwner(berth);
  await enter(page);

  await test.step('who does the work', async () => {
    await page.goto('/people/organizations/default?tab=provisioners');
    const daemons = page.getByRole('table', { name: 'Provisioners' });
    await expect(daemons.getByRole('row').nth(1)).toContainText('Idle', { timeout: 30_000 });
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New provisioner key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('gpu-host');
    await dialog.getByRole('textbox', { name: 'Tags' }).fill('gpu=yes');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect(dialog.getByLabel('The new key')).toBeVisible();
    await checkLooks(page, 'a new key');
    await shot(page, 'key');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('row', { name: /gpu-host/ })).toContainText('gpu=yes');
    await checkLooks(page, 'provisioners');
    await shot(page, 'provisioners');
    await page.getByRole('button', { name: 'Delete gpu-host' }).click();
    await page.getByRole('textbox', { name: 'Type gpu-host to confirm' }).fill('gpu-host');
    await page.getByRole('button', { name: 'Delete key' }).click();
    await expect(page.getByRole('row', { name: /gpu-host/ })).toBeHidden();
  });

  await test.step('when nobody is at work', async () => {
    await page.goto('/account/quiet-hours');
    await page.getByLabel(/^Time\b/).fill('23:30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('You chose this.')).toBeVisible();
    await checkLooks(page, 'quiet hours');
    await shot(page, 'quiet hours');
    await page.getByRole('button', { name: 'Back to the default' }).click();
    await expect(page.getByText('This is what everybody has')).toBeVisible();
  });

  await test.step('what workspaces may cost', async () => {
    await page.goto('/account/quota');
    await expect(page.getByText(/credits a day are in use/)).toBeVisible();
    await checkLooks(page, 'quota');
    await shot(page, 'quota');
  });
});
