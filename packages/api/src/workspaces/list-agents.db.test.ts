import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);

test('answers each workspace as it is answered alone, with every agent’s own apps, scripts and log sources in their order', async () => {
  const organization = await rows.organization();
  const owner = await rows.user({ memberOf: [organization.id] });
  const made = [];
  for (const name of ['one', 'two']) {
    const { workspace, job } = await rows.workspace({ organization, owner, name });
    for (const agent of ['first', 'second']) {
      await rows.agent({
        jobId: job.id,
        name: agent,
        apps: [{ slug: 'b' }, { slug: 'a', healthcheckUrl: 'http://localhost', healthcheckInterval: 5, healthcheckThreshold: 2 }],
        scripts: [
          { script: `echo ${name}`, displayName: 'z' },
          { script: `echo ${agent}`, displayName: 'y', runOnStart: true },
        ],
      });
    }
    await rows.agent({ jobId: job.id, name: 'bare' });
    made.push(workspace);
  }
  const api = callAsUser(owner.id).workspaces;
  const alone = await Promise.all(made.map(({ id }) => api.get({ workspace: id })));
  const { workspaces } = await api.list({});
  expect(JSON.stringify(workspaces)).toBe(JSON.stringify(alone));
  const agents = workspaces.flatMap(({ latest_build: build }) => build.resources.flatMap((resource) => resource.agents));
  // Two agents with parts and a bare one in each workspace.
  for (const part of ['apps', 'scripts', 'log_sources'] as const) {
    expect(agents.map((agent) => agent[part].length).filter((length) => length === 2)).toHaveLength(4);
    expect(agents.filter((agent) => agent[part].length === 0)).toHaveLength(2);
  }
});
