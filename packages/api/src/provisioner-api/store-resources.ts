import { invalid, newId } from '@berth/core';
import { hashToken } from '@berth/core/secrets';
import type { Tx } from '@berth/db';
import { Prisma, isUniqueViolation } from '@berth/db';
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
  /** The workspace that a build makes; null for the resources of an import or a dry run, whose agents never live. */
  readonly workspaceId: string | null;
}

/**
 * Stores what a driver planned: resources with their agents, apps, scripts (each with its log source) and metadata, in one statement
 * per table. Answers the agents with their tokens; none without a workspace. A token that the driver's tool made may be one that an
 * earlier build of the same workspace had: that agent gives it up.
 *
 * @throws invalid when two agents, or two apps or metadata keys of an agent, share a name, or a given token is guessable or not the
 *   workspace's own.
 */
export async function storeResources(
  db: Tx,
  { jobId, transition, resources, createdAt, workspaceId }: ResourcesOfJob,
): Promise<StoredAgent[]> {
  refuseDuplicates(resources);
  const rows = new Rows(createdAt);
  for (const resource of resources) rows.addResource(resource, { jobId, transition, makeTokens: workspaceId !== null });

  await db.workspaceResource.createMany({ data: rows.resources });
  if (workspaceId !== null) await takeOver(db, workspaceId, rows.givenHashes);
  try {
    await db.workspaceAgent.createMany({ data: rows.agents });
  } catch (error) {
    // Names are told apart already: what is left is a token that an agent of another workspace has.
    if (isUniqueViolation(error)) throw invalid('The resources cannot be stored: the token of an agent is not its own.');
    throw error;
  }
  await db.workspaceApp.createMany({ data: rows.apps });
  await db.workspaceAgentLogSource.createMany({ data: rows.logSources });
  await db.workspaceAgentScript.createMany({ data: rows.scripts });
  await db.workspaceAgentMetadatum.createMany({ data: rows.metadata });
  return rows.stored;
}

/** Agents of earlier builds of this workspace give up the tokens that its new agents come with. */
async function takeOver(db: Tx, workspaceId: string, hashes: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
  if (hashes.length === 0) return;
  await db.$executeRaw(Prisma.sql`
    UPDATE workspace_agents a SET hashed_token = NULL
    FROM workspace_resources r JOIN workspace_builds b ON b.job_id = r.job_id
    WHERE a.hashed_token = ANY (${hashes.map((hash) => Buffer.from(hash))}) AND r.id = a.resource_id AND b.workspace_id = ${workspaceId}::uuid`);
}

function refuseDuplicates(resources: readonly ProvisionedResource[]): void {
  const agents = resources.flatMap((resource) => resource.agents);
  const problems = [
    ...duplicates(agents.map((agent) => agent.name.toLowerCase())).map((name) => `two agents are named "${name}"`),
    ...agents.flatMap((agent) => [
      ...duplicates(agent.apps.map((app) => app.slug)).map((slug) => `agent "${agent.name}" has two apps with the slug "${slug}"`),
      ...duplicates(agent.metadata.map((item) => item.key)).map((key) => `agent "${agent.name}" has two metadata keys "${key}"`),
      ...(agent.token === undefined || isRandomUuid(agent.token) ? [] : [`the token of agent "${agent.name}" is not a random UUID`]),
    ]),
    ...(duplicates(agents.flatMap(({ token }) => (token === undefined ? [] : [token.toLowerCase()]))).length === 0
      ? []
      : ['two agents have the same token']),
  ];
  if (problems.length > 0) throw invalid(`The resources cannot be stored: ${problems.join('; ')}.`);
}

/** Version 4: any other kind can be guessed. */
function isRandomUuid(token: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(token);
}

function duplicates(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

/** The rows of all tables, collected first so that each table takes one statement. */
class Rows {
  readonly stored: StoredAgent[] = [];
  /** Of the tokens that the driver's tool made. */
  readonly givenHashes: Uint8Array<ArrayBuffer>[] = [];
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
    { jobId, transition, makeTokens }: Pick<ResourcesOfJob, 'jobId' | 'transition'> & { makeTokens: boolean },
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
    const token = agent.token ?? newId();
    const hashedToken = makeTokens ? hashToken(token) : null;
    if (makeTokens) this.stored.push({ name: agent.name, id, token });
    if (hashedToken !== null && agent.token !== undefined) this.givenHashes.push(hashedToken);
    this.agents.push({
      id,
      resourceId,
      name: agent.name,
      hashedToken,
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
