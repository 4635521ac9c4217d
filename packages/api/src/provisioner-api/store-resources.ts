import { invalid, newId } from '@berth/core';
import { hashToken } from '@berth/core/secrets';
import type { Prisma, Tx } from '@berth/db';
import type { Transition } from '@berth/domain';
import type { ProvisionedAgent, ProvisionedApp, ProvisionedResource, ProvisionedScript } from '@berth/protocol';

export interface StoredAgent {
  readonly name: string;
  readonly id: string;
  /** Shown once, to the daemon that starts the agent; only its hash is kept. */
  readonly token: string;
}

export interface ResourcesOfJob {
  readonly jobId: string;
  readonly transition: Transition;
  readonly resources: readonly ProvisionedResource[];
  readonly createdAt: Date;
  /** False for the resources of an import, whose agents never live. */
  readonly makeTokens: boolean;
}

/**
 * Stores what a driver planned: resources with their agents, apps, scripts (each with its log source) and metadata, in one statement
 * per table. Answers the agents with their tokens; none without `makeTokens`.
 *
 * @throws invalid when two agents, or two apps or metadata keys of an agent, share a name.
 */
export async function storeResources(
  db: Tx,
  { jobId, transition, resources, createdAt, makeTokens }: ResourcesOfJob,
): Promise<StoredAgent[]> {
  refuseDuplicates(resources);
  const rows = new Rows(createdAt);
  for (const resource of resources) rows.addResource(resource, { jobId, transition, makeTokens });

  await db.workspaceResource.createMany({ data: rows.resources });
  await db.workspaceAgent.createMany({ data: rows.agents });
  await db.workspaceApp.createMany({ data: rows.apps });
  await db.workspaceAgentLogSource.createMany({ data: rows.logSources });
  await db.workspaceAgentScript.createMany({ data: rows.scripts });
  await db.workspaceAgentMetadatum.createMany({ data: rows.metadata });
  return rows.stored;
}

function refuseDuplicates(resources: readonly ProvisionedResource[]): void {
  const agents = resources.flatMap((resource) => resource.agents);
  const problems = [
    ...duplicates(agents.map((agent) => agent.name.toLowerCase())).map((name) => `two agents are named "${name}"`),
    ...agents.flatMap((agent) => [
      ...duplicates(agent.apps.map((app) => app.slug)).map((slug) => `agent "${agent.name}" has two apps with the slug "${slug}"`),
      ...duplicates(agent.metadata.map((item) => item.key)).map((key) => `agent "${agent.name}" has two metadata keys "${key}"`),
    ]),
  ];
  if (problems.length > 0) throw invalid(`The resources cannot be stored: ${problems.join('; ')}.`);
}

function duplicates(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

/** The rows of all tables, collected first so that each table takes one statement. */
class Rows {
  readonly stored: StoredAgent[] = [];
  readonly resources: Prisma.WorkspaceResourceCreateManyInput[] = [];
  readonly agents: Prisma.WorkspaceAgentCreateManyInput[] = [];
  readonly apps: Prisma.WorkspaceAppCreateManyInput[] = [];
  readonly logSources: Prisma.WorkspaceAgentLogSourceCreateManyInput[] = [];
  readonly scripts: Prisma.WorkspaceAgentScriptCreateManyInput[] = [];
  readonly metadata: Prisma.WorkspaceAgentMetadatumCreateManyInput[] = [];
  readonly #createdAt: Date;

  constructor(createdAt: Date) {
    this.#createdAt = createdAt;
  }

  addResource(
    resource: ProvisionedResource,
    { jobId, transition, makeTokens }: Pick<ResourcesOfJob, 'jobId' | 'transition' | 'makeTokens'>,
  ): void {
    const id = newId();
    this.resources.push({
      id,
      jobId,
      transition,
      name: resource.name,
      type: resource.type,
      icon: resource.icon,
      hide: resource.hide,
      dailyCost: resource.daily_cost,
      metadata: resource.metadata,
      createdAt: this.#createdAt,
    });
    for (const agent of resource.agents) this.#addAgent(agent, id, makeTokens);
  }

  #addAgent(agent: ProvisionedAgent, resourceId: string, makeTokens: boolean): void {
    const id = newId();
    const token = newId();
    if (makeTokens) this.stored.push({ name: agent.name, id, token });
    this.agents.push({
      id,
      resourceId,
      name: agent.name,
      hashedToken: makeTokens ? hashToken(token) : null,
      instanceId: agent.instance_id,
      architecture: agent.architecture,
      operatingSystem: agent.operating_system,
      directory: agent.directory,
      environmentVariables: agent.environment,
      connectionTimeoutSeconds: agent.connection_timeout_seconds,
      troubleshootingUrl: agent.troubleshooting_url,
      motdFile: agent.motd_file,
      displayApps: agent.display_apps,
      displayOrder: agent.order,
      createdAt: this.#createdAt,
      updatedAt: this.#createdAt,
    });
    for (const app of agent.apps) this.#addApp(app, id);
    for (const script of agent.scripts) this.#addScript(script, id);
    for (const item of agent.metadata) {
      this.metadata.push({
        agentId: id,
        key: item.key,
        displayName: item.display_name,
        script: item.script,
        intervalSeconds: item.interval,
        timeoutSeconds: item.timeout,
        displayOrder: item.order,
      });
    }
  }

  #addApp(app: ProvisionedApp, agentId: string): void {
    const isChecked = app.healthcheck.url !== '';
    this.apps.push({
      id: newId(),
      agentId,
      slug: app.slug,
      displayName: app.display_name,
      icon: app.icon,
      command: app.command,
      url: app.url,
      external: app.external,
      subdomain: app.subdomain,
      hidden: app.hidden,
      sharingLevel: app.sharing_level,
      healthcheckUrl: app.healthcheck.url,
      healthcheckInterval: app.healthcheck.interval,
      healthcheckThreshold: app.healthcheck.threshold,
      health: isChecked ? 'initializing' : 'disabled',
      displayOrder: app.order,
    });
  }

  #addScript(script: ProvisionedScript, agentId: string): void {
    const logSourceId = newId();
    this.logSources.push({ id: logSourceId, agentId, displayName: script.display_name, icon: script.icon, createdAt: this.#createdAt });
    this.scripts.push({
      id: newId(),
      agentId,
      logSourceId,
      displayName: script.display_name,
      script: script.script,
      cron: script.cron,
      runOnStart: script.run_on_start,
      runOnStop: script.run_on_stop,
      startBlocksLogin: script.start_blocks_login,
      timeoutSeconds: script.timeout,
      logPath: script.log_path,
    });
  }
}
