import type { Page } from '@playwright/test';
import type { House } from './house.ts';
import { checkLooks, expect, test } from './house.ts';

/** The pages without a story of their own in this folder: each opens by its address, loads all that it shows, and looks right. */

async function look(page: Page, path: string, heading: string | RegExp): Promise<void> {
  await test.step(path, async () => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    // Placeholders of what is still on its way.
    await expect(page.locator('.mantine-Skeleton-root:visible, [aria-busy="true"]')).toHaveCount(0);
    await checkLooks(page, path);
  });
}

/** Something of each kind to look at, so that no page shows its empty state alone. */
async function furnish({ owner: { client }, person }: House): Promise<{ app: string }> {
  const grace = await person('grace-everywhere');
  const { id: organization } = await client.organizations.create.mutate({ name: 'everywhere', display_name: 'Everywhere works' });
  await client.members.add.mutate({ organization, user: grace.id });
  await client.groups.create.mutate({ organization, name: 'crew', display_name: 'Crew', quota_allowance: 40 });
  const site_permissions = [{ resource_type: 'template', action: 'read' }] as const;
  await client.roles.createSite.mutate({
    name: 'everywhere-reader',
    display_name: 'Everywhere Reader',
    site_permissions: [...site_permissions],
  });
  await client.tokens.create.mutate({ user: 'me', token_name: 'everywhere' });
  const app = await client.oauth2Apps.create.mutate({ name: 'everywhere', callback_url: 'https://ci.example.com/oauth/callback' });
  return { app: app.id };
}

test('the pages of workspaces and templates load whole, pass axe in light and dark, and fit a screen 360 pixels wide', async ({
  page,
  house,
}) => {
  test.setTimeout(180_000);
  const { name, path } = house.workspace;
  await look(page, '/shared', 'Shared with me');
  await look(page, `${path}?tab=terminal`, name);
  await look(page, `${path}?tab=builds`, name);
  await look(page, `${path}?tab=sharing`, name);
  await look(page, `${path}?tab=settings`, name);
  await look(page, '/templates/new', 'New template');
  await look(page, '/templates/default/shell?tab=permissions', 'Empty shell');
  await look(page, '/templates/default/shell?tab=schedule', 'Empty shell');
  await look(page, '/templates/default/shell?tab=settings', 'Empty shell');
  await look(page, '/no-such-page', 'There is nothing here');
});

test('the pages about people load whole, pass axe in light and dark, and fit a screen 360 pixels wide', async ({ page, house }) => {
  test.setTimeout(180_000);
  const { app } = await furnish(house);
  await look(page, '/people/users', 'Users');
  await look(page, '/people/users/grace-everywhere', 'grace-everywhere');
  await look(page, '/people/users/grace-everywhere?tab=access', 'grace-everywhere');
  await look(page, '/people/users/ada?tab=sessions', 'Ada Byron');
  await look(page, '/people/organizations', 'Organizations');
  await look(page, '/people/organizations/everywhere', 'Everywhere works');
  await look(page, '/people/organizations/everywhere?tab=groups', 'Everywhere works');
  await look(page, '/people/organizations/everywhere?tab=roles', 'Everywhere works');
  await look(page, '/people/organizations/everywhere?tab=provisioners', 'Everywhere works');
  await look(page, '/people/organizations/everywhere?tab=sync', 'Everywhere works');
  await look(page, '/people/organizations/everywhere?tab=settings', 'Everywhere works');
  await look(page, '/people/organizations/everywhere/groups/crew', 'Crew');
  await look(page, '/people/organizations/everywhere/roles/new', 'New role');
  await look(page, '/people/roles', 'Site roles');
  await look(page, '/people/roles/owner', 'Owner');
  await look(page, '/people/access?user=grace-everywhere&type=workspace&action=start&own=true', 'Who may what');
  await look(page, '/people/sync', 'Sign-on sync');
  await look(page, '/admin/external-auth', 'External auth');
  await look(page, '/admin/insights', 'Insights');
  await look(page, '/admin/oauth2-apps', 'OAuth2 apps');
  await look(page, `/admin/oauth2-apps/${app}`, 'everywhere');
});

test('the pages of an account load whole, pass axe in light and dark, and fit a screen 360 pixels wide', async ({ page }) => {
  test.setTimeout(180_000);
  for (const [path, heading] of [
    ['profile', 'Profile'],
    ['security', 'Security'],
    ['tokens', 'API tokens'],
    ['apps', 'Authorized apps'],
    ['external', 'External accounts'],
    ['ssh-key', 'SSH key'],
    ['quiet-hours', 'Quiet hours'],
    ['quota', 'Quota'],
    ['about', 'About Berth'],
  ] as const) {
    await look(page, `/account/${path}`, heading);
  }
  await page.getByRole('button', { name: 'Account of ada' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeChecked();
  await checkLooks(page, 'the menu of the account');
});

test('every address with an unknown name or id says so in the same way, and leads back', async ({ page, house }) => {
  test.setTimeout(180_000);
  const { path } = house.workspace;
  const id = '00000000-0000-4000-8000-000000000000';
  for (const [address, kind] of [
    ['/@ada/unknown', 'Workspace'],
    ['/@unknown/unknown', 'Workspace'],
    ['/@ada/unknown/terminal', 'Workspace'],
    [`${path}/builds/999`, 'Build'],
    [`${path}/builds/first`, 'Build'],
    [`/shared/${id}`, 'Share'],
    ['/workspaces/new?template=unknown', 'Template'],
    ['/templates/unknown', 'Template'],
    ['/templates/default/unknown', 'Template'],
    ['/templates/unknown/shell', 'Template'],
    ['/templates/default/unknown/edit', 'Template'],
    ['/templates/default/unknown/new-version', 'Template'],
    ['/templates/default/unknown/versions/unknown', 'Template'],
    ['/templates/default/shell/versions/unknown', 'Version'],
    ['/templates/default/shell/versions/unknown/edit', 'Version'],
    ['/people/users/unknown', 'User'],
    [`/people/users/${id}`, 'User'],
    ['/people/organizations/unknown', 'Organization'],
    ['/people/organizations/default/groups/unknown', 'Group'],
    ['/people/organizations/default/roles/unknown', 'Role'],
    ['/people/organizations/unknown/roles/new', 'Organization'],
    ['/people/roles/unknown', 'Role'],
    [`/admin/oauth2-apps/${id}`, 'OAuth2 app'],
    ['/admin/oauth2-apps/unknown', 'OAuth2 app'],
    [`/audit?entry=${id}`, 'Audit entry'],
    ['/audit?entry=unknown', 'Audit entry'],
    ['/external-auth/unknown', 'Service'],
  ] as const) {
    await test.step(address, async () => {
      await page.goto(address);
      await expect(page.getByRole('heading', { name: `${kind} not found` })).toBeVisible();
      const isDrawer = kind === 'Audit entry';
      const scope = page.getByRole(isDrawer ? 'dialog' : 'main');
      await expect(
        scope.getByRole(isDrawer ? 'button' : 'link', { name: /^(?:Go to|See what|Choose another|site roles|roles of)/ }),
      ).toBeVisible();
    });
  }
});
