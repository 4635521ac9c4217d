import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Page, test as base } from '@playwright/test';
import { type Berth, startBerth } from '../berth.ts';
import { BUILD_TIMEOUT_MS, agentIdOf, installStarter, settled } from '../provisioning.ts';
import { OWNER, type Owner, enter, makeOwner } from '../people.ts';

/**
 * One running product for the main stories of all pages, so that each takes seconds. Whoever tells a story here makes the people, templates
 * and workspaces that it changes, under names of its own; what is listed here is only looked at. What stops or configures the server
 * belongs in a story of its own, outside this folder; one story about sessions restarts it, and waits until everything is connected again.
 */
export interface House {
  readonly berth: Berth;
  /** Ada, who owns the deployment. */
  readonly owner: Owner;
  /** Ids of the templates of the organization `default`. */
  readonly templates: { readonly shell: string; readonly 'node-web': string };
  /** Ada's workspace of `shell`, which runs and has an agent that is ready. */
  readonly workspace: { readonly id: string; readonly name: string; readonly path: string; readonly agentId: string };
  /** Makes a member of the organization `default`. */
  person(username: string): Promise<Person>;
}

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

const ORGANIZATION = 'default';
const PASSWORD = 'nine-calm-lighthouses-77';

/** What the pages about external services show; nothing calls the service. */
const CONFIGURATION = {
  external_auth: [
    {
      id: 'forge',
      type: 'gitea',
      display_name: 'Forge',
      client_id: 'berth',
      client_secret: 'secret',
      authorize_url: 'https://forge.example.com/authorize',
      token_url: 'https://forge.example.com/token',
      validate_url: 'https://forge.example.com/user',
      user_info_url: 'https://forge.example.com/user',
    },
  ],
};

async function furnish(berth: Berth): Promise<House> {
  const owner = await makeOwner(berth);
  const { client } = owner;
  const templates = {
    shell: await installStarter(client, 'Empty shell'),
    'node-web': await installStarter(client, 'Node web project'),
  };
  const { id, name } = await client.workspaces.create.mutate({ user: 'me', name: 'harbour', template_id: templates.shell });
  const agentId = agentIdOf(await settled(client, id));
  const isReady = async (): Promise<boolean> => (await client.agents.get.query({ workspaceagent: agentId })).lifecycle_state === 'ready';
  await base.expect.poll(isReady, { timeout: BUILD_TIMEOUT_MS }).toBe(true);
  const { id: organization } = await client.organizations.get.query({ organization: ORGANIZATION });
  return {
    berth,
    owner,
    templates,
    workspace: { id, name, path: `/@${OWNER.username}/${name}`, agentId },
    person: async (username) => {
      const email = `${username}@example.com`;
      const user = await client.users.create.mutate({
        username,
        email,
        password: PASSWORD,
        login_type: 'password',
        organization_ids: [organization],
      });
      return { id: user.id, username, email, password: PASSWORD };
    },
  };
}

/** `page` is signed in as Ada and stands nowhere yet; `visitor` is a page of another browser that nobody is signed in with. */
export const test = base.extend<{ visitor: Page }, { house: House }>({
  house: [
    async ({}, use, workerInfo) => {
      await mkdir(workerInfo.project.outputDir, { recursive: true });
      const file = join(workerInfo.project.outputDir, `berth-${workerInfo.workerIndex}.yaml`);
      // JSON is YAML.
      await writeFile(file, JSON.stringify(CONFIGURATION));
      const berth = await startBerth({ env: { BERTH_CONFIG_FILE: file, BERTH_WILDCARD_ACCESS_URL: '*.localhost' } });
      try {
        await use(await furnish(berth));
      } finally {
        await berth.dispose();
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ house }, use) => use(house.berth.url),
  page: async ({ page, house }, use, testInfo) => {
    await enter(page);
    await use(page);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('server log', { body: house.berth.log(), contentType: 'text/plain' });
    }
  },
  visitor: async ({ browser, house }, use) => {
    const context = await browser.newContext({ baseURL: house.berth.url });
    await use(await context.newPage());
    await context.close();
  },
});

export { expect } from '@playwright/test';
export { enter } from '../people.ts';
export { checkLooks } from '../looks.ts';
