import { Buffer } from 'node:buffer';
import { expect, test } from './fixtures.ts';
import { checkLooks } from './looks.ts';
import { enter, makeOwner } from './people.ts';
import { BUILD_TIMEOUT_MS } from './provisioning.ts';
import { shot } from './shot.ts';

const README = `---
icon: /icon/code.svg
---

# Harbour tools

Brings **cranes** and <script>alert(1)</script>.

| Tool  | For   |
| ----- | ----- |
| crane | boxes |
`;

const yaml = (greeting: string): string => `version: 1
name: Harbour tools
parameters:
  - name: greeting
    description: What to say.
    default: ${greeting}
    mutable: true
resources:
  - name: home
    type: process
    agent:
      name: main
`;

const file = (name: string, text: string): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

test('a template author publishes files, sees why an import failed, promotes the next version and shares the template', async ({
  page,
  berth,
}) => {
  test.setTimeout(180_000);
  const { client } = await makeOwner(berth);
  const { id: organization } = await client.organizations.get.query({ organization: 'default' });
  await client.users.create.mutate({
    email: 'grace@example.com',
    username: 'grace',
    name: 'Grace Hopper',
    password: 'nine-quiet-harbours-42',
    organization_ids: [organization],
  });
  await enter(page);

  await test.step('a new template from loose files', async () => {
    await page.goto('/templates');
    await page.getByRole('link', { name: 'New template' }).click();
    await expect(page.getByRole('radio', { name: 'Empty shell' })).toBeVisible();
    await checkLooks(page, 'new template');
    await page.getByRole('tab', { name: 'From your files' }).click();
    await page.locator('input[type=file]').setInputFiles([file('berth.yaml', 'version: 1\nname: [oops'), file('README.md', README)]);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('harbour-tools');
    await checkLooks(page, 'new template from files');
    await page.getByRole('button', { name: 'Import' }).click();
  });

  await test.step('the reason of a failed import, and another try', async () => {
    await expect(page.getByRole('alert').filter({ hasText: 'The import failed' })).toContainText('berth.yaml', {
      timeout: BUILD_TIMEOUT_MS,
    });
    await shot(page, 'failed import');
    await page.getByRole('button', { name: 'Choose files again' }).click();
    await page.locator('input[type=file]').setInputFiles([file('berth.yaml', yaml('ahoy')), file('README.md', README)]);
    await expect(page.getByRole('textbox', { name: 'Display name' }), 'comes from berth.yaml').toHaveValue('Harbour tools');
    await expect(page.getByRole('textbox', { name: 'Name', exact: true }), 'stays as it was typed').toHaveValue('harbour-tools');
    await page.getByRole('button', { name: 'Import' }).click();
    await expect(page.getByText('The import is done.')).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
    await shot(page, 'imported');
    await page.getByRole('button', { name: 'Create template' }).click();
  });

  await test.step('the template with its README', async () => {
    await expect(page.getByRole('heading', { name: 'Harbour tools', level: 1 })).toBeVisible();
    const readme = page.getByRole('region', { name: 'README' });
    await expect(readme.getByRole('heading', { name: 'Harbour tools' })).toBeVisible();
    await expect(readme.getByRole('cell', { name: 'crane' })).toBeVisible();
    await expect(readme.locator('script')).toHaveCount(0);
    await checkLooks(page, 'template');
    await shot(page, 'template');
  });

  await test.step('a second version, promoted', async () => {
    await page.getByRole('link', { name: 'New version' }).click();
    await page.locator('input[type=file]').setInputFiles([file('berth.yaml', yaml('hello')), file('README.md', README)]);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('second');
    await page.getByRole('textbox', { name: 'Message' }).fill('Friendlier greeting');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'Promote it' }).click({ timeout: BUILD_TIMEOUT_MS });
    await expect(page.getByRole('heading', { name: 'second', level: 1 })).toBeVisible();
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    await checkLooks(page, 'version');
    await shot(page, 'version');
    await page.getByRole('tab', { name: 'Parameters' }).click();
    await expect(page.getByRole('table', { name: 'Parameters' })).toContainText('hello');
    await checkLooks(page, 'parameters of a version');
    await page.getByRole('tab', { name: 'Import log' }).click();
    await expect(page.getByRole('log')).toContainText('1 parameter');
  });

  await test.step('the former version renamed and archived', async () => {
    await page.goto('/templates/harbour-tools?tab=versions');
    await page.getByRole('tab', { name: 'Versions' }).click();
    const rows = page.getByRole('table', { name: 'Versions' }).getByRole('row');
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(1)).toContainText('Friendlier greeting');
    await rows
      .nth(2)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('first');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Actions for first' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await expect(rows).toHaveCount(2);
    await page.getByRole('switch', { name: 'Show archived' }).click({ force: true });
    await expect(page.getByRole('row', { name: /first/ })).toContainText('Archived');
    await checkLooks(page, 'versions');
    await shot(page, 'versions');
  });

  await test.step('who may use it', async () => {
    await page.getByRole('tab', { name: 'Permissions' }).click();
    await page.getByRole('combobox', { name: 'User or group' }).fill('hopp');
    await page.getByRole('option', { name: 'Grace Hopper (grace)' }).click();
    await page.getByRole('button', { name: 'Give access' }).click();
    const row = page.getByRole('row', { name: /Grace Hopper/ });
    await expect(row).toBeVisible();
    await row.getByRole('combobox', { name: 'What grace may do' }).click();
    await page.getByRole('option', { name: 'Administer' }).click();
    await expect(row.getByRole('combobox', { name: 'What grace may do' })).toHaveValue('Administer');
    await checkLooks(page, 'permissions');
    await shot(page, 'permissions');
    await row.getByRole('button', { name: 'Take the access from grace' }).click();
    await expect(row).toBeHidden();
  });

  await test.step('a version that no provisioner takes says so', async () => {
    const template = await client.templates.getByName.query({ organization, templatename: 'harbour-tools' });
    const { job } = await client.templateVersions.get.query({ templateversion: template.active_version_id });
    await client.templateVersions.create.mutate({
      organization,
      template_id: template.id,
      name: 'heavy',
      file_id: job.file_id,
      provisioner: 'process',
      storage_method: 'file',
      tags: { crane: 'heavy' },
    });
    await page.goto('/templates/default/harbour-tools/versions/heavy');
    await expect(page.getByText(/No provisioner can take it. It needs one with .*crane=heavy/)).toBeVisible();
    await shot(page, 'waiting version');
  });

  await test.step('the gallery finds it', async () => {
    await page.goto('/templates?q=harbour');
    await expect(page.getByRole('link', { name: 'Harbour tools' })).toBeVisible();
    await checkLooks(page, 'gallery');
    await shot(page, 'gallery');
    await page.goto('/templates?q=nothing-like-that');
    await expect(page.getByRole('heading', { name: 'No template matches' })).toBeVisible();
  });
});
