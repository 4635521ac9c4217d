import { freePort } from './berth.ts';
import { expect, test } from './fixtures.ts';
import { setUp } from './people.ts';
import { shot } from './shot.ts';

test('a web project asks for its parameters by their rules, and its page opens in the browser', async ({ page, context, berth }) => {
  await setUp(page);

  await test.step('the form says each rule before anything is made', async () => {
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('button', { name: 'Use Node web project' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('pier');
    const project = page.getByRole('textbox', { name: 'Project name' });
    const port = page.getByRole('textbox', { name: 'Port' });
    await project.fill('Not A Name');
    await expect(page.getByText('Use 2 to 40 lower-case letters, digits and hyphens')).toBeVisible();
    await port.fill('80');
    await expect(page.getByText('A port is a number from 1024 to 65535: 80 is not.')).toBeVisible();
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Some parameters need another look.' })).toBeVisible();
    await shot(page, 'rules');

    await project.fill('tide-table');
    // Workspaces share the ports of the machine.
    await port.fill(String(await freePort()));
    await page.getByRole('textbox', { name: 'Greeting' }).fill('High water <at> noon & midnight');
    await page.getByRole('radio', { name: 'Production' }).click();
    await expect(page.getByText('need another look')).toBeHidden();
    await shot(page, 'parameters');
    await page.getByRole('button', { name: 'Create workspace' }).click();
  });

  await test.step('the workspace gets ready, and its app healthy', async () => {
    await expect(page.getByRole('heading', { name: 'pier', level: 1 })).toBeVisible();
    const agent = page.getByRole('region', { name: 'Agent main' });
    await expect(agent.getByText('Ready', { exact: true })).toBeVisible({ timeout: 45_000 });
    await expect(agent.getByRole('link', { name: 'Web page, healthy' })).toBeVisible({ timeout: 45_000 });
    await agent.getByRole('button', { name: 'Script logs' }).click();
    await expect(agent.getByRole('log')).toContainText('The page is ready');
    await shot(page, 'healthy');
  });

  await test.step('the app opens below its path', async () => {
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Web page, healthy' }).click();
    const app = await opened;
    await expect(app).toHaveURL(/\/@ada\/pier(\.main)?\/apps\/web\/$/);
    await expect(app.getByRole('heading', { name: 'tide-table' })).toBeVisible();
    await expect(app.getByText('High water <at> noon & midnight')).toBeVisible();
    await shot(app, 'app');
    await app.getByRole('link', { name: 'Status of the server' }).click();
    await expect(app.getByText('"mode":"production"')).toBeVisible();
  });

  await test.step('nobody else gets to see it', async () => {
    const stranger = await fetch(`${berth.url}/@ada/pier.main/apps/web/`, { redirect: 'manual' });
    expect(stranger.status).not.toBe(200);
    expect(await stranger.text()).not.toContain('tide-table');
  });
});
