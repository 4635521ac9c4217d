import { newId } from '@berth/core';
import { hashToken } from '@berth/core/secrets';
import type {
  Organization,
  Prisma,
  PrismaClient,
  ProvisionerJob,
  Template,
  TemplateVersion,
  User,
  Workspace,
  WorkspaceAgent,
  WorkspaceBuild,
  WorkspacePortShare,
  WorkspaceShare,
  WorkspaceResource,
} from '@berth/db';
import { givenUser } from './identity.ts';
import type { GivenJobStatus } from './jobs.ts';
import { givenJob } from './jobs.ts';
import type { GivenParameter } from './templates.ts';
import { givenTemplate } from './templates.ts';
import { uniqueName } from './words.ts';

export interface GivenBuild extends Partial<Omit<Prisma.WorkspaceBuildUncheckedCreateInput, 'parameters'>> {
  readonly workspace: Workspace;
  readonly templateVersionId: string;
  /** Status of the build's job; `succeeded` unless told otherwise. */
  readonly status?: GivenJobStatus;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly job?: Partial<Prisma.ProvisionerJobUncheckedCreateInput>;
}

export interface BuildGiven {
  readonly build: WorkspaceBuild;
  readonly job: ProvisionerJob;
}

/** The next build of a workspace, which becomes its latest: a finished `start` unless told otherwise. */
export async function givenBuild(
  prisma: PrismaClient,
  { workspace, status = 'succeeded', parameters = {}, job: jobOverrides = {}, ...overrides }: GivenBuild,
): Promise<BuildGiven> {
  const initiatorId = overrides.initiatorId ?? workspace.ownerId;
  const job = await givenJob(prisma, {
    organizationId: workspace.organizationId,
    initiatorId,
    kind: 'workspace_build',
    status,
    ...jobOverrides,
  });
  const last = await prisma.workspaceBuild.aggregate({ where: { workspaceId: workspace.id }, _max: { buildNumber: true } });
  const build = await prisma.workspaceBuild.create({
    data: {
      id: newId(),
      transition: 'start',
      buildNumber: (last._max.buildNumber ?? 0) + 1,
      ...overrides,
      workspaceId: workspace.id,
      initiatorId,
      jobId: job.id,
      parameters: { create: Object.entries(parameters).map(([name, value]) => ({ name, value })) },
    },
  });
  const isRunning = build.transition === 'start' && job.completedAt !== null && job.canceledAt === null && job.error === '';
  await prisma.workspace.update({ where: { id: workspace.id }, data: { latestBuildId: build.id, isRunning } });
  return { build, job };
}

export interface GivenWorkspace extends Partial<Prisma.WorkspaceUncheckedCreateInput> {
  readonly organization?: Organization;
  readonly owner?: User;
  /** Made with `givenTemplate` unless given, together with its version. */
  readonly template?: Template;
  readonly richParameters?: readonly GivenParameter[];
  /** Transition of the first build; `start` unless told otherwise. */
  readonly transition?: 'start' | 'stop' | 'delete';
  /** Status of the first build's job; `succeeded` unless told otherwise. */
  readonly status?: GivenJobStatus;
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface WorkspaceGiven extends BuildGiven {
  readonly organization: Organization;
  readonly owner: User;
  readonly template: Template;
  readonly version: TemplateVersion;
  readonly workspace: Workspace;
}

/** A workspace of a member of an organization, with one finished `start` build and no agent. */
export async function givenWorkspace(
  prisma: PrismaClient,
  {
    organization,
    owner,
    template,
    richParameters = [],
    transition = 'start',
    status = 'succeeded',
    parameters = {},
    ...overrides
  }: GivenWorkspace = {},
): Promise<WorkspaceGiven> {
  const source =
    template === undefined
      ? await givenTemplate(prisma, { richParameters, ...(organization === undefined ? {} : { organization }) })
      : {
          template,
          organization: await prisma.organization.findUniqueOrThrow({ where: { id: template.organizationId } }),
          version: await prisma.templateVersion.findUniqueOrThrow({ where: { id: template.activeVersionId } }),
        };
  const person = owner ?? (await givenUser(prisma, { memberOf: [source.organization.id] }));
  const workspace = await prisma.workspace.create({
    data: {
      id: newId(),
      name: uniqueName('workspace'),
      organizationId: source.organization.id,
      templateId: source.template.id,
      ownerId: person.id,
      ...overrides,
    },
  });
  const { build, job } = await givenBuild(prisma, { workspace, templateVersionId: source.version.id, transition, status, parameters });
  return {
    organization: source.organization,
    owner: person,
    template: source.template,
    version: source.version,
    workspace: { ...workspace, latestBuildId: build.id },
    build,
    job,
  };
}

/** A port of the agent `main` that anybody may open, unless told otherwise; the same one once more stays as it is. */
export async function givenPortShare(
  prisma: PrismaClient,
  overrides: Partial<Prisma.WorkspacePortShareUncheckedCreateInput> & { readonly workspaceId: string },
): Promise<WorkspacePortShare> {
  const data = { agentName: 'main', port: 8080, shareLevel: 'public', protocol: 'http', ...overrides };
  const { workspaceId, agentName, port } = data;
  return prisma.workspacePortShare.upsert({
    where: { workspaceId_agentName_port: { workspaceId, agentName, port } },
    create: data,
    update: {},
  });
}

/** A share of the whole workspace's terminals for an hour, made by its owner, unless `overrides` say otherwise; they say with whom. */
export async function givenShare(
  prisma: PrismaClient,
  overrides: Partial<Prisma.WorkspaceShareUncheckedCreateInput> & { readonly workspaceId: string },
): Promise<WorkspaceShare> {
  const { ownerId } = await prisma.workspace.findUniqueOrThrow({ where: { id: overrides.workspaceId } });
  const expiresAt = new Date(Date.now() + 3_600_000);
  return prisma.workspaceShare.create({ data: { id: newId(), access: 'terminal', createdById: ownerId, expiresAt, ...overrides } });
}

export interface GivenAgent extends Partial<
  Omit<Prisma.WorkspaceAgentUncheckedCreateInput, 'resourceId' | 'apps' | 'scripts' | 'logSources' | 'metadata'>
> {
  /** The job whose resource holds the agent: that of a build. */
  readonly jobId: string;
  readonly transition?: 'start' | 'stop' | 'delete';
  readonly resource?: Partial<Prisma.WorkspaceResourceUncheckedCreateInput>;
  /** Whether the server hears from it: now, or at an instant. */
  readonly connected?: boolean | Date;
  readonly apps?: readonly (Partial<Prisma.WorkspaceAppUncheckedCreateWithoutAgentInput> & { readonly slug: string })[];
  /** Each gets a log source of its own. */
  readonly scripts?: readonly (Partial<Prisma.WorkspaceAgentScriptUncheckedCreateWithoutAgentInput> & { readonly script: string })[];
  readonly metadata?: readonly (Partial<Prisma.WorkspaceAgentMetadatumUncheckedCreateWithoutAgentInput> & { readonly key: string })[];
}

export interface AgentGiven {
  readonly resource: WorkspaceResource;
  readonly agent: WorkspaceAgent;
  /** What the agent sends as its credential. */
  readonly token: string;
}

/** An agent with a token, on a resource of its own; it has never connected unless `connected`. */
export async function givenAgent(
  prisma: PrismaClient,
  {
    jobId,
    transition = 'start',
    resource: resourceOverrides = {},
    connected = false,
    apps = [],
    scripts = [],
    metadata = [],
    ...overrides
  }: GivenAgent,
): Promise<AgentGiven> {
  const resource = await prisma.workspaceResource.create({
    data: { id: newId(), name: uniqueName('resource'), type: 'process', ...resourceOverrides, jobId, transition },
  });
  const token = newId();
  const now = connected instanceof Date ? connected : new Date();
  const sources = scripts.map((script) => ({ id: newId(), script }));
  const agent = await prisma.workspaceAgent.create({
    data: {
      id: newId(),
      name: 'main',
      operatingSystem: 'linux',
      architecture: 'amd64',
      directory: '/home/dev',
      hashedToken: hashToken(token),
      ...(connected !== false
        ? { firstConnectedAt: now, lastConnectedAt: now, lifecycleState: 'ready', startedAt: now, readyAt: now }
        : {}),
      ...overrides,
      resourceId: resource.id,
      apps: { create: apps.map((app, index) => ({ id: newId(), displayOrder: index, ...app })) },
      logSources: {
        create: sources.map(({ id, script }) => ({ id, displayName: script.displayName ?? 'script' })),
      },
      scripts: { create: sources.map(({ id, script }) => ({ id: newId(), logSourceId: id, ...script })) },
      metadata: {
        create: metadata.map((entry, index) => ({
          displayName: entry.key,
          script: 'true',
          intervalSeconds: 10,
          timeoutSeconds: 5,
          displayOrder: index,
          ...entry,
        })),
      },
    },
  });
  return { resource, agent, token };
}
