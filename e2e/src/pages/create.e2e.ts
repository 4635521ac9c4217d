import { installTemplate } from '../provisioning.ts';
import { checkLooks, expect, test } from './house.ts';

const NODE_WEB = '/templates/default/node-web/workspace';

test('a link fills in a new workspace only after the person has seen what it says, and makes nothing by itself', async ({
  page,
  house,
}) => {
  const { client } = house.owner;
  const made = async (name: string): Promise<number> => (await client.workspaces.list.query({ q: `name:${name}` })).count;
  await page.goto(`${NODE_WEB}?name=by-link&param.node_env=production&param.port=99&param.colour=red&mode=auto`);
  await expect(page.getByRole('heading', { name: 'A link fills in a new workspace', level: 1 })).toBeVisible();
  const answers = page.getByRole('table', { name: 'What the form would say' });
  await expect(answers.getByRole('row', { name: /^Mode/ })).toContainText('ProductionThe link');
  await expect(answers.getByRole('row', { name: /^Project name/ })).toContainText('The template');
  await expect(page.getByText('colour = red: the template does not ask for it.')).toBeVisible();
  await checkLooks(page, 'values of a link');
  expect(await made('by-link')).toBe(0);

  await page.getByRole('button', { name: 'Fill in the form' }).click();
  await expect(page.getByRole('radio', { name: 'Production' })).toBeChecked();
  // The link's port breaks a rule, and the keyboard stands there.
  const port = page.getByRole('textbox', { name: 'Port', exact: true });
  await expect(port).toBeFocused();
  await page.getByRole('button', { name: 'Use the default of Port' }).click();
  await checkLooks(page, 'the form of a new workspace');
  expect(await made('by-link')).toBe(0);
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page.getByRole('heading', { name: 'by-link', level: 1 })).toBeVisible();
  expect(await made('by-link')).toBe(1);

  await page.goto('/workspaces/new?template=node-web');
  await expect(page.getByRole('radio', { name: 'Production' })).toBeChecked();
  await page.getByRole('button', { name: 'Use the defaults instead' }).click();
  await expect(page.getByRole('radio', { name: 'Development' })).toBeChecked();
});

test('what does not fit the quota is said before it is sent, and refused when it is', async ({ page, house }) => {
  const yaml = 'version: 1\nresources:\n  - name: home\n    type: process\n    daily_cost: 40\n    agent:\n      name: main\n';
  const template = await installTemplate({ berth: house.berth, owner: house.owner, name: 'costly-crane', yaml });
  await page.goto(`/workspaces/new?template=${template}`);
  const notice = page.getByRole('alert').filter({ hasText: 'does not fit your quota' });
  await expect(notice).toContainText('It costs 40 credits a day. You have 0 left of 0: 40 too few.');
  await checkLooks(page, 'a workspace beyond the quota');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The workspace was not created' })).toContainText('insufficient quota');
});
