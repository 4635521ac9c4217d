import { forbidden, invalid, invalidField, notFound } from '@berth/core';
import { Prisma, type Tx } from '@berth/db';
import { tracked, type TrackedEnvelope } from '@trpc/server';
import { templateObject } from '@berth/rbac';
import { z } from 'zod';
import { resourcesJson } from '../agents/agent-sql.ts';
import type { RawResource } from '../agents/agent-presenter.ts';
import { presentResources } from '../agents/agent-presenter.ts';
import type { WorkspaceResource } from '../agents/contract.ts';
import { templateChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { permittedStream } from '../kernel/while-permitted.ts';
import type { ProvisionerJobLog } from '../provisioner-jobs/contract.ts';
import { followJobLogs, listJobLogs } from '../provisioner-jobs/logs.ts';
import { Acl } from '../templates/acl.ts';
import type {
  FollowTemplateVersionLogsInput,
  ListTemplateVersionsInput,
  TemplateVersion,
  TemplateVersionInput,
  TemplateVersionLogsInput,
  TemplateVersionVariable,
} from './contract.ts';
import { TemplateVersionParameter } from './contract.ts';
import { JUDGED_COLUMNS, JudgedVersion, readVersion, readVersions, versionObject } from './version-sql.ts';

/** Shown in place of a sensitive value. */
const REDACTED = '*redacted*';

export async function getTemplateVersion(call: UserCall, input: TemplateVersionInput): Promise<TemplateVersion> {
  const row = await readVersion(call.db, call.services, input.templateversion);
  call.authorize.require(versionObject(row));
  return row.version;
}

/** The versions of a template, oldest first; archived ones only when asked for. @throws invalid for an unknown `after_id`. */
export async function listTemplateVersions(call: UserCall, input: ListTemplateVersionsInput): Promise<TemplateVersion[]> {
  const { db, services } = call;
  const template = await db.template.findUnique({
    where: { id: input.template, deleted: false },
    select: { id: true, organizationId: true, userAcl: true, groupAcl: true },
  });
  if (template === null) throw notFound();
  call.authorize.require(templateObject({ ...template, userAcl: Acl.parse(template.userAcl), groupAcl: Acl.parse(template.groupAcl) }));

  let after = Prisma.empty;
  if (input.after_id !== undefined) {
    const cursor = await db.templateVersion.findFirst({ where: { id: input.after_id, templateId: template.id }, select: { id: true } });
    if (cursor === null) throw invalidField('after_id', 'is not a version of this template');
    after = Prisma.sql`AND (v.created_at, v.id) > (SELECT created_at, id FROM template_versions WHERE id = ${cursor.id}::uuid)`;
  }
  const archived = input.include_archived === true ? Prisma.empty : Prisma.sql`AND NOT v.archived`;
  const rows = await readVersions(
    db,
    services,
    Prisma.sql`WHERE v.template_id = ${template.id}::uuid ${archived} ${after}
      ORDER BY v.created_at, v.id LIMIT ${input.limit} OFFSET ${input.offset}`,
  );
  return rows.map((row) => row.version);
}

interface Found {
  readonly jobId: string;
  readonly isOver: boolean;
  /** Its template is. */
  readonly isDeleted: boolean;
  readonly object: ReturnType<typeof versionObject>;
}

async function findVersion(db: Tx, id: string): Promise<Found | null> {
  const row = await db.templateVersion.findUnique({
    where: { id },
    select: {
      organizationId: true,
      templateId: true,
      template: { select: { userAcl: true, groupAcl: true, deleted: true } },
      job: { select: { id: true, completedAt: true } },
    },
  });
  if (row === null) return null;
  const object = versionObject({
    organization_id: row.organizationId,
    template_id: row.templateId,
    user_acl: row.template === null ? null : Acl.parse(row.template.userAcl),
    group_acl: row.template === null ? null : Acl.parse(row.template.groupAcl),
  });
  return { jobId: row.job.id, isOver: row.job.completedAt !== null, isDeleted: row.template?.deleted ?? false, object };
}

/** Finds a version that the caller may read, with where its import stands. */
async function findReadable(call: UserCall, id: string): Promise<Found> {
  const found = await findVersion(call.db, id);
  if (found === null) throw notFound();
  call.authorize.require(found.object);
  return found;
}

export async function getTemplateVersionLogs(call: UserCall, input: TemplateVersionLogsInput): Promise<ProvisionerJobLog[]> {
  const { jobId } = await findReadable(call, input.templateversion);
  return listJobLogs(call.db, jobId, { after: input.after, before: input.before });
}

/**
 * The log of a version's import: what there is, then what comes, until the import or the caller's right to read it ends. Authorised
 * before it is handed out.
 */
export async function followTemplateVersionLogs(
  call: UserCall,
  { id, after, signal }: { id: string; after: number; signal: AbortSignal },
): Promise<AsyncGenerator<ProvisionerJobLog, void, void>> {
  const { jobId, object } = await findReadable(call, id);
  const again = {
    subscribe: (ask: () => void) =>
      call.services.bus.subscribe(templateChannel, ({ template_id }) => {
        if (template_id === object.id) ask();
      }),
    read: async () => {
      const now = await findVersion(call.services.prisma, id);
      return now === null || now.isDeleted ? null : now.object;
    },
  };
  return permittedStream(call, { action: 'read', object, again, signal }, (still) => followJobLogs(call.services, jobId, after, still));
}

/** The same for a subscription: each line carries its id, with which a client that lost its connection resumes. */
export async function subscribeTemplateVersionLogs(
  call: UserCall,
  input: FollowTemplateVersionLogsInput,
  signal: AbortSignal,
): Promise<AsyncGenerator<TrackedEnvelope<ProvisionerJobLog>, void, void>> {
  const resumeAt = Number(input.lastEventId ?? input.after ?? 0);
  const after = Number.isSafeInteger(resumeAt) && resumeAt >= 0 ? resumeAt : 0;
  const lines = await followTemplateVersionLogs(call, { id: input.templateversion, after, signal });
  return withIds(lines);
}

async function* withIds(
  lines: AsyncGenerator<ProvisionerJobLog, void, void>,
): AsyncGenerator<TrackedEnvelope<ProvisionerJobLog>, void, void> {
  for await (const line of lines) yield tracked(String(line.id), line);
}

/** What a workspace of this version would have. @throws invalid while the import runs. */
export async function getTemplateVersionResources(call: UserCall, input: TemplateVersionInput): Promise<WorkspaceResource[]> {
  const { jobId, isOver } = await findReadable(call, input.templateversion);
  if (!isOver) throw invalid('The import of this version has not ended yet.');
  const [row] = await call.db.$queryRaw<{ resources: RawResource[] }[]>(
    Prisma.sql`SELECT ${resourcesJson(Prisma.sql`${jobId}::uuid`)} AS resources`,
  );
  // No workspace stands around these agents, so their apps have no domains.
  return presentResources(row?.resources ?? [], { workspaceName: '', ownerName: '', now: call.services.clock.now() });
}

/** What the author gave at import; sensitive values are redacted. @throws forbidden while the import runs. */
export async function getTemplateVersionVariables(call: UserCall, input: TemplateVersionInput): Promise<TemplateVersionVariable[]> {
  const { isOver } = await findReadable(call, input.templateversion);
  if (!isOver) throw importRuns();
  const rows = await call.db.templateVersionVariable.findMany({
    where: { templateVersionId: input.templateversion },
    orderBy: { name: 'asc' },
    select: { name: true, description: true, type: true, value: true, defaultValue: true, required: true, sensitive: true },
  });
  return rows.map(({ defaultValue, type, ...row }) => ({
    ...row,
    type: variableType(type),
    value: row.sensitive ? REDACTED : row.value,
    default_value: row.sensitive ? REDACTED : defaultValue,
  }));
}

function variableType(type: string): TemplateVersionVariable['type'] {
  return type === 'number' || type === 'bool' ? type : 'string';
}

const ParametersRow = JudgedVersion.extend({ is_over: z.boolean(), parameters: z.array(TemplateVersionParameter) });

/** The rich parameters of a version in display order, in one statement. @throws forbidden while the import runs. */
export async function getRichParameters(call: UserCall, input: TemplateVersionInput): Promise<TemplateVersionParameter[]> {
  const rows = await call.db.$queryRaw<unknown[]>(Prisma.sql`
    SELECT ${JUDGED_COLUMNS}, j.completed_at IS NOT NULL AS is_over, coalesce((
      SELECT json_agg(json_build_object(
        'name', p.name, 'display_name', p.display_name, 'description', p.description,
        'description_plaintext', p.description_plaintext, 'type', p.type, 'default_value', p.default_value,
        'required', p.required, 'mutable', p.mutable, 'ephemeral', p.ephemeral, 'icon', p.icon, 'options', p.options,
        'validation_error', p.validation_error, 'validation_regex', p.validation_regex,
        'validation_min', p.validation_min, 'validation_max', p.validation_max,
        'validation_monotonic', p.validation_monotonic, 'condition', p.condition
      ) ORDER BY p.display_order, lower(p.name))
      FROM template_version_parameters p WHERE p.template_version_id = v.id
    ), '[]'::json) AS parameters
    FROM template_versions v
    JOIN provisioner_jobs j ON j.id = v.job_id
    LEFT JOIN templates t ON t.id = v.template_id
    WHERE v.id = ${input.templateversion}::uuid`);
  if (rows.length === 0) throw notFound();
  const row = ParametersRow.parse(rows[0]);
  call.authorize.require(versionObject(row));
  if (!row.is_over) throw importRuns();
  return row.parameters;
}

function importRuns(): Error {
  return forbidden('The import of this version has not ended yet.');
}
