import { uploadArchive } from '../archive.ts';
import { installTemplate } from '../provisioning.ts';
import type { House } from './house.ts';
import { checkLooks, enter, expect, test } from './house.ts';

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

/** A template of a version that nothing has waited for. */
async function addUnimported(
  { berth, owner }: House,
  { name, yaml, tags }: { name: string; yaml: string; tags: Record<string, string> },
): Promise<string> {
  const file_id = await uploadArchive({ url: berth.url, token: owner.token, yaml });
  const version = await owner.client.templateVersions.create.mutate({
    organization: 'default',
    file_id,
    provisioner: 'process',
    storage_method: 'file',
    tags,
  });
  const template = await owner.client.templates.create.mutate({ organization: 'default', name, template_version_id: version.id });
  return template.id;
}

const RESOURCES = 'resources:\n  - name: home\n    type: process\n    agent:\n      name: main\n';

test('a template that waits for a provisioner says so, and its maintainer can cancel the import', async ({ page, house }) => {
  const yaml = `version: 1\n${RESOURCES}`;
  const template = await addUnimported(house, { name: 'waiting-walrus', yaml, tags: { gpu: 'yes' } });
  await page.goto(`/workspaces/new?template=${template}`);
  await expect(page.getByText('No provisioner can import this template now')).toBeVisible();
  await expect(page.getByText('gpu=yes')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See provisioners' })).toBeVisible();
  await checkLooks(page, 'a template that waits for a provisioner');
  await page.getByRole('button', { name: 'Cancel import' }).click();
  await expect(page.getByText('The import was canceled.')).toBeVisible();
});

test('a template that lacks a variable asks its maintainer for the value, and tells everybody else whom to ask', async ({
  page,
  visitor,
  house,
}) => {
  const yaml = `version: 1\nvariables:\n  - name: region\n    description: Where machines are made.\n${RESOURCES}`;
  const template = await addUnimported(house, { name: 'needy-newt', yaml, tags: {} });
  const grace = await house.person('grace-needs-newt');
  await enter(visitor, grace);
  await visitor.goto(`/workspaces/new?template=${template}`);
  await expect(visitor.getByText('Ask ada to publish a version that works.')).toBeVisible();

  await page.goto(`/workspaces/new?template=${template}`);
  await page.getByRole('textbox', { name: 'region' }).fill('north');
  await checkLooks(page, 'the variables of a template');
  await page.getByRole('button', { name: 'Import again' }).click();
  await page.getByRole('button', { name: 'Use this version' }).click();
  await expect(page.getByRole('button', { name: 'Create workspace' })).toBeVisible();
});
