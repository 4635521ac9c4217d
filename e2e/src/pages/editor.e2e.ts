import { BUILD_TIMEOUT_MS, installTemplate } from '../provisioning.ts';
import { checkLooks, expect, test } from './house.ts';

const YAML = `version: 1
name: Quay
parameters:
  - name: crane
    default: small
resources:
  - name: home
    type: process
    agent:
      name: main
`;

test('a template is changed in the browser: completed, built, tried as a form and published, and then compared', async ({
  page,
  house,
}) => {
  test.setTimeout(180_000);
  await installTemplate({ berth: house.berth, owner: house.owner, name: 'quay', yaml: YAML });
  await page.goto('/templates/default/quay/edit');
  const text = page.getByRole('textbox', { name: 'berth.yaml' });
  await expect(text).toContainText('name: crane');
  await expect(page.getByRole('textbox', { name: 'crane' })).toHaveValue('small');

  await test.step('a key is completed, and a mistake is found as it is typed', async () => {
    await text.click();
    await page.keyboard.press('Control+Home');
    for (let line = 0; line < 4; line += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.type('\ndisplay');
    await page.getByRole('option', { name: /display_name/ }).click();
    await page.keyboard.type('Size of the crane\nmutabel: true');
    await page.getByRole('tab', { name: 'Problems' }).click();
    await expect(page.getByText('mutabel is no key of this. Did you mean mutable?')).toBeVisible();
    await checkLooks(page, 'editor with a problem');
  });

  await test.step('a failed build leads to the line', async () => {
    await page.getByRole('button', { name: 'Build' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'berth.yaml:7' }).click({ timeout: BUILD_TIMEOUT_MS });
    await expect(text).toBeFocused();
    await expect(page.getByRole('button', { name: 'Publish…' })).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type('    mutable: true');
  });

  await test.step('the built form is tried', async () => {
    await page.keyboard.press('Control+s');
    await expect(page.getByRole('textbox', { name: 'Size of the crane' })).toHaveValue('small', { timeout: BUILD_TIMEOUT_MS });
    await page.getByRole('button', { name: 'Dry run' }).click();
    await expect(page.getByText('The dry run is over; nothing was made.')).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
    await expect(page.getByRole('list', { name: 'What a start would make' })).toContainText('home_folder');
  });

  await test.step('it is published', async () => {
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('sized');
    await dialog.getByRole('textbox', { name: 'Message' }).fill('The crane has a size');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'sized', level: 1 })).toBeVisible();
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
  });

  await test.step('its files and what changed can be read', async () => {
    await page.getByRole('tab', { name: 'Files' }).click();
    await expect(page.getByRole('textbox', { name: 'berth.yaml' })).toContainText('Size of the crane');
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('combobox', { name: 'Compared with' }).click();
    await page.getByRole('option').last().click();
    await expect(page.getByText('1 file differs')).toBeVisible();
    await expect(page.getByRole('region', { name: 'berth.yaml' })).toContainText('+2');
    await expect(page.getByRole('textbox', { name: 'berth.yaml, after' })).toContainText('Size of the crane');
    await checkLooks(page, 'changes of a version');
  });
});
