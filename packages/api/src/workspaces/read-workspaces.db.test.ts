import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi, userPrincipal } from '../testing/index.ts';
import { Workspace } from './contract.ts';

const { prisma, clock, callAs, callAsUser, countStatements } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const siteOwner = await rows.user({ siteRoles: ['owner'] });

/** A running workspace with one connected agent that has everything. */
async function fullWorkspace() {
  const made = await rows.workspace({ organization, parameters: { region: 'eu' } });
  const agent = await rows.agent({
    jobId: made.job.id,
    connected: clock.now(),
    apps: [
      { slug: 'code', url: 'http://localhost:8080' },
      { slug: 'web', subdomain: true, url: 'http://localhost:3000' },
    ],
    scripts: [{ script: 'true', displayName: 'setup', runOnStart: true, startBlocksLogin: true }],
    metadata: [{ key: 'cpu' }],
  });
  return { ...made, ...agent };
}

describe('get', () => {
  it('answers the whole workspace with every field, by one statement', async () => {
    const { owner, workspace, build, job, agent, resource, template, version } = await fullWorkspace();
    const caller = callAsUser(owner.id);
    const found = await caller.workspaces.get({ workspace: workspace.id });
    expect(found).toEqual(Workspace.strict().parse(found));
    expect(found).toMatchObject({
      id: workspace.id,
      owner_name: owner.username,
      organization_name: organization.name,
      template_id: template.id,
      template_active_version_id: version.id,
      outdated: false,
      favorite: false,
      ttl_ms: null,
      dormant_at: null,
      health: { healthy: true, failing_agents: [] },
      latest_build: {
        id: build.id,
        build_number: 1,
        status: 'running',
        transition: 'start',
        job: { id: job.id, status: 'succeeded', queue_position: 0, tags: { scope: 'organization', owner: '' } },
        resources: [
          {
            id: resource.id,
            workspace_transition: 'start',
            agents: [
              {
                id: agent.id,
                status: 'connected',
                lifecycle_state: 'ready',
                health: { healthy: true, reason: '' },
                startup_script_behavior: 'blocking',
                latency: {},
                apps: [
                  { slug: 'code', subdomain_name: '' },
                  { slug: 'web', subdomain_name: `web--main--${workspace.name}--${owner.username}` },
                ],
                scripts: [{ display_name: 'setup' }],
                log_sources: [{ display_name: 'setup', workspace_agent_id: agent.id }],
              },
            ],
          },
        ],
      },
    });
    const fixed = callAs(await userPrincipal(prisma, owner.id));
    expect(await countStatements(() => fixed.workspaces.get({ workspace: workspace.id }))).toBe(1);
  });

  it('tells an agent that fell silent apart from one that is well, as time goes by', async () => {
    const { owner, workspace, agent } = await fullWorkspace();
    clock.advance(31_000);
    const found = await callAsUser(owner.id).workspaces.get({ workspace: workspace.id });
    expect(found.health).toEqual({ healthy: false, failing_agents: [agent.id] });
    expect(found.latest_build.resources[0]?.agents[0]).toMatchObject({ status: 'disconnected', health: { healthy: false } });
    expect(found.latest_build.resources[0]?.agents[0]?.disconnected_at).toBe(found.latest_build.resources[0]?.agents[0]?.last_connected_at);
  });

  it('answers an absent, a deleted and an unreadable workspace with the same 404', async () => {
    const { workspace, owner } = await rows.workspace({ organization });
    const { workspace: gone } = await rows.workspace({ organization, owner, deleted: true });
    const stranger = await rows.user({ memberOf: [organization.id] });
    const refusals = await Promise.all([
      callAsUser(owner.id).workspaces.get({ workspace: newId() }).catch(String),
      callAsUser(owner.id).workspaces.get({ workspace: gone.id }).catch(String),
      callAsUser(stranger.id).workspaces.get({ workspace: workspace.id }).catch(String),
      callAsUser(stranger.id).workspaces.get({ workspace: gone.id, include_deleted: true }).catch(String),
    ]);
    expect(new Set(refusals).size).toBe(1);
    await expect(callAsUser(owner.id).workspaces.get({ workspace: gone.id, include_deleted: 'true' })).resolves.toMatchObject({
      id: gone.id,
    });
  });

  it('shuts out an owner who left the organization', async () => {
    const { workspace, owner } = await rows.workspace({ organization });
    await prisma.organizationMember.delete({ where: { organizationId_userId: { organizationId: organization.id, userId: owner.id } } });
    await expect(callAsUser(owner.id).workspaces.get({ workspace: workspace.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows a favorite to its owner only, and the template’s time to live where users may not choose', async () => {
    const { template } = await rows.template({ organization, allowUserAutostop: false, defaultTtlMs: 3_600_000n });
    const { workspace, owner } = await rows.workspace({ template, favorite: true, ttlMs: 60_000n });
    await expect(callAsUser(owner.id).workspaces.get({ workspace: workspace.id })).resolves.toMatchObject({
      favorite: true,
      ttl_ms: 3_600_000,
    });
    await expect(callAsUser(siteOwner.id).workspaces.get({ workspace: workspace.id })).resolves.toMatchObject({ favorite: false });
  });
});

describe('get by owner and name', () => {
  it('finds by name, id or me, in any case, and the living workspace before a deleted one of the name', async () => {
    const { workspace, owner } = await rows.workspace({ organization, name: 'Lab' });
    const { workspace: gone } = await rows.workspace({ organization, owner, name: 'lab', deleted: true });
    const caller = callAsUser(owner.id);
    for (const user of ['me', owner.id, owner.username.toUpperCase()]) {
      const found = await caller.workspaces.getByOwnerAndName({ user, workspacename: 'LAB', include_deleted: true });
      expect(found.id).toBe(workspace.id);
    }
    await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: true, createdAt: new Date(0) } });
    await expect(caller.workspaces.getByOwnerAndName({ user: 'me', workspacename: 'lab' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const latest = await caller.workspaces.getByOwnerAndName({ user: 'me', workspacename: 'lab', include_deleted: true });
    expect(latest.id).toBe(gone.id);
  });
});
