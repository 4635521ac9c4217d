import { unauthenticated } from '@berth/core';
import type { AgentManifest } from '@berth/protocol';
import { AppHealth } from '@berth/protocol';
import { z } from 'zod';
import type { AgentCall } from './agent-call.ts';
import { portUrl } from './port-url.ts';

const Environment = z.record(z.string(), z.string());

/** All that an agent needs to know about itself. */
export async function readManifest({ db, services, principal }: AgentCall): Promise<AgentManifest> {
  const agent = await db.workspaceAgent.findUnique({
    where: { id: principal.agentId },
    select: {
      id: true,
      name: true,
      directory: true,
      environmentVariables: true,
      motdFile: true,
      apps: {
        select: {
          id: true,
          slug: true,
          url: true,
          healthcheckUrl: true,
          healthcheckInterval: true,
          healthcheckThreshold: true,
          health: true,
        },
        orderBy: [{ displayOrder: 'asc' }, { slug: 'asc' }],
      },
      scripts: { orderBy: [{ displayName: 'asc' }, { id: 'asc' }] },
      metadata: {
        select: { key: true, displayName: true, script: true, intervalSeconds: true, timeoutSeconds: true },
        orderBy: [{ displayOrder: 'asc' }, { key: 'asc' }],
      },
    },
  });
  const workspace = await db.workspace.findUnique({
    where: { id: principal.workspaceId },
    select: { id: true, name: true, owner: { select: { username: true } } },
  });
  // Its build was replaced between the look at its token and now.
  if (agent === null || workspace === null) throw unauthenticated('The agent is no longer part of its workspace.');
  return {
    agent_id: agent.id,
    agent_name: agent.name,
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    owner_username: workspace.owner.username,
    directory: agent.directory,
    environment: Environment.parse(agent.environmentVariables),
    apps: agent.apps.map((app) => ({
      id: app.id,
      slug: app.slug,
      url: app.url,
      healthcheck: { url: app.healthcheckUrl, interval: app.healthcheckInterval, threshold: app.healthcheckThreshold },
      health: AppHealth.parse(app.health),
    })),
    scripts: agent.scripts.map((script) => ({
      id: script.id,
      log_source_id: script.logSourceId,
      display_name: script.displayName,
      script: script.script,
      cron: script.cron,
      run_on_start: script.runOnStart,
      run_on_stop: script.runOnStop,
      start_blocks_login: script.startBlocksLogin,
      timeout: script.timeoutSeconds,
      log_path: script.logPath,
    })),
    metadata: agent.metadata.map((entry) => ({
      key: entry.key,
      display_name: entry.displayName,
      script: entry.script,
      interval: entry.intervalSeconds,
      timeout: entry.timeoutSeconds,
    })),
    access_url: services.settings.accessUrl,
    motd_file: agent.motdFile,
    server_version: services.settings.version,
    port_url: portUrl(services.settings, { agent: agent.name, workspace: workspace.name, owner: workspace.owner.username }),
  };
}
