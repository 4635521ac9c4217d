import { AGENT_LIFECYCLE_STATES } from '@berth/domain';
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

test('calls a workspace as healthy as it is called alone, whatever state its agents are in', async () => {
  const organization = await rows.organization();
  const owner = await rows.user({ memberOf: [organization.id] });
  const healths = new Set<boolean>();
  const long = new Date(Date.now() - 24 * 3_600_000);
  for (const lifecycleState of AGENT_LIFECYCLE_STATES) {
    for (const connected of [true, false, long]) {
      const { workspace, job } = await rows.workspace({ organization, owner });
      await rows.agent({ jobId: job.id, lifecycleState, connected });
      await rows.agent({ jobId: job.id, lifecycleState: 'ready', connected: true, name: 'second' });
      const api = callAsUser(owner.id).workspaces;
      const { workspaces } = await api.list({ q: `name:${workspace.name}` });
      const [alone, named] = [
        await api.get({ workspace: workspace.id }),
        await api.getByOwnerAndName({ user: owner.username, workspacename: workspace.name }),
      ];
      const what = `${lifecycleState}, connected: ${String(connected)}`;
      expect(
        workspaces.map(({ health }) => health),
        what,
      ).toEqual([alone.health]);
      expect(named.health, what).toEqual(alone.health);
      // It is healthy when each of its agents is.
      const agents = alone.latest_build.resources.flatMap((resource) => resource.agents);
      expect(alone.health, what).toEqual({
        healthy: agents.every(({ health }) => health.healthy),
        failing_agents: agents.filter(({ health }) => !health.healthy).map(({ id }) => id),
      });
      healths.add(alone.health.healthy);
    }
  }
  expect(healths.size).toBe(2);
});
