import { checkLooks, enter, expect, test } from './house.ts';

test('an announcement that an owner makes is seen by a member at once, wherever they are, and taken back by undoing it', async ({
  house,
  page,
  visitor,
}) => {
  const member = await house.person('grace-reads-news');
  await enter(visitor, member);
  await visitor.goto('/templates');
  await expect(visitor.getByRole('heading', { name: 'Templates', level: 1 })).toBeVisible();

  await page.goto('/admin/appearance');
  await page.getByRole('button', { name: 'New banner' }).click();
  await page.getByLabel('Message').fill('Maintenance on **Sunday**: [the plan](https://example.com/plan)');
  await checkLooks(page, 'appearance');
  await page.getByRole('button', { name: 'Save' }).click();

  const notices = visitor.getByRole('region', { name: 'Notices' });
  await expect(notices).toContainText('Maintenance on Sunday: the plan');
  await expect(notices.getByRole('link', { name: 'the plan' })).toHaveAttribute('href', 'https://example.com/plan');
  await checkLooks(visitor, 'a page with an announcement');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(notices).toHaveCount(0);
  // The page is nothing for them.
  await visitor.goto('/admin');
  await expect(visitor.getByRole('heading', { name: 'Administration is not for your role' })).toBeVisible();
});

test('the health page says what was checked, and checks again when asked', async ({ page }) => {
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Health', level: 1 })).toBeVisible();
  const database = page.getByRole('region', { name: 'Database' });
  await expect(database.getByText('Well')).toBeVisible();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('button', { name: 'Check now' })).toBeEnabled();
  await expect(page.getByRole('region', { name: 'WebSockets' })).toContainText('101');
  await checkLooks(page, 'health');
});

test('a setting is found by a word, with where its value comes from, and by its own link', async ({ page, house }) => {
  await page.goto('/admin/settings');
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('who may listen http_address');
  await expect(page.getByRole('heading', { name: 'No setting is like that' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('http_address');
  const address = page.getByRole('group', { name: 'Address' });
  await expect(address).toContainText(new URL(house.berth.url).host);
  await expect(address).toContainText('Environment');
  await expect(page).toHaveURL(/q=http_address/);
  await checkLooks(page, 'settings');
  await page.goto('/admin/settings?option=BERTH_SCIM_TOKEN');
  await expect(page.getByRole('group', { name: 'SCIM token' })).toBeInViewport();
});

test('a workspace proxy is made, its token is shown once, and it goes again', async ({ page }) => {
  await page.goto('/admin/proxies');
  await page.getByRole('button', { name: 'New proxy' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('lisbon');
  await page.getByRole('button', { name: 'Create proxy' }).click();
  await expect(page.getByLabel('The new token')).toHaveText(/\S{20,}/);
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /lisbon/ });
  await expect(row).toContainText('Not registered');
  await checkLooks(page, 'workspace proxies');
  await row.getByRole('button', { name: 'Actions for lisbon' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('textbox', { name: 'Type lisbon to confirm' }).fill('lisbon');
  await page.getByRole('button', { name: 'Delete proxy' }).click();
  await expect(row).toHaveCount(0);
});

test('a job that no provisioner can take says which tags are missing, and is canceled there', async ({ page, house }) => {
  const { client } = house.owner;
  const [example] = await client.templates.examples.query({});
  const { id: organization } = await client.organizations.get.query({ organization: 'default' });
  await client.templateVersions.create.mutate({
    organization,
    name: 'needs-a-gpu',
    storage_method: 'file',
    provisioner: 'process',
    example_id: example?.id ?? '',
    tags: { gpu: 'yes' },
  });
  await page.goto('/admin/provisioners');
  const row = page.getByRole('row', { name: /needs-a-gpu/ });
  await expect(row).toContainText('it needs one for process with the tag gpu=yes');
  await expect(row).toContainText('it lacks gpu=yes');
  await checkLooks(page, 'provisioners');
  await row.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toHaveCount(0);
});
