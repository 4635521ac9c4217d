import { conflict, forbidden, invalid, invalidField, newId, notFound } from '@berth/core';
import type { Tx } from '@berth/db';
import { isUniqueViolation } from '@berth/db';
import { autostartProblem, initialTtlMs, nameProblem, ttlProblem } from '@berth/domain';
import { organizationMemberObject, workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import type { BuildVersionRow, TemplateFactsRow } from '../builds/index.ts';
import {
  buildVersionSelect,
  insertBuild,
  requireActiveVersion,
  requireImported,
  resolveBuildParameters,
  templateFactsSelect,
  templateRef,
} from '../builds/index.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { resolveOrganization } from '../organizations/index.ts';
import { requireQuota } from '../quotas/index.ts';
import type { UserRow } from '../users/index.ts';
import { holdUser, resolveUser } from '../users/index.ts';
import { auditOf } from './audit.ts';
import type { CreateOrganizationWorkspace, CreateWorkspace, Workspace } from './contract.ts';
import { loadOwnWorkspace } from './read-workspace.ts';

type Input = z.output<typeof CreateWorkspace>;

/**
 * Makes a workspace for a user and queues its first build, a start. The workspace is in the organization of its template; if the
 * build is refused, there is no workspace either.
 */
export async function createWorkspace(call: UserCall, input: Input): Promise<Workspace> {
  const owner = await resolveUser(call, input.user);
  return createFor(call, owner, input);
}

/** The same by the path of an organization: the user must be a member of it whom the caller may see. */
export async function createOrganizationWorkspace(call: UserCall, input: z.output<typeof CreateOrganizationWorkspace>): Promise<Workspace> {
  const organization = await resolveOrganization(call, input.organization);
  const owner = await resolveUser(call, input.user);
  const isMember = owner.memberships.some(({ organizationId }) => organizationId === organization.id);
  const member = organizationMemberObject({ userId: owner.id, organizationId: organization.id });
  if (!isMember || !call.authorize.can('read', member)) throw notFound();
  return createFor(call, owner, input);
}

async function createFor(call: UserCall, owner: UserRow, input: Input): Promise<Workspace> {
  const { template, version } = await loadSource(call, input);
  const organizationId = template.organizationId;
  // Named before the rules are asked, so that a refused attempt is recorded; the name is the caller's word until then.
  call.audit.set({
    resourceId: newId(),
    target: input.name,
    organizationId,
    buildReason: 'initiator',
    additionalFields: { workspace_owner: owner.username },
  });
  call.authorize.require(workspaceObject({ ownerId: owner.id, organizationId }), { sitewide: true });
  if (!owner.memberships.some((membership) => membership.organizationId === organizationId)) {
    throw forbidden('The owner of a workspace must be a member of its organization.');
  }
  if (owner.status === 'suspended') throw forbidden('The account of the owner is suspended.');
  requireUsable(template, version);
  requireSoundFields(input);
  requireActiveVersion(call, template, { transition: 'start', versionId: version.id });
  requireImported(version);
  const parameters = await resolveBuildParameters(call.db, {
    versionId: version.id,
    requested: input.rich_parameter_values ?? [],
    previous: [],
  });
  await requireQuota(call.db, {
    workspace: { ownerId: owner.id, organizationId },
    versionId: version.id,
    transition: 'start',
    previousCost: null,
  });

  await holdUser(call.db, owner.id);
  await holdSource(call.db, { templateId: template.id, versionId: version.id });
  const workspace = await insertWorkspace(call, { ownerId: owner.id, template, input });
  await insertBuild(call.db, call.services, {
    workspace,
    version,
    previous: null,
    transition: 'start',
    reason: 'initiator',
    initiatorId: call.principal.userId,
    parameters,
    logLevel: '',
    state: null,
    request: call.request,
  });
  call.audit.update({ resourceId: workspace.id, after: auditOf(workspace) });
  return loadOwnWorkspace(call, workspace.id);
}

interface Source {
  readonly template: TemplateFactsRow & TemplateUse;
  readonly version: BuildVersionRow;
}
interface TemplateUse {
  readonly deleted: boolean;
  readonly deprecationMessage: string;
  readonly defaultTtlMs: bigint;
  readonly allowUserAutostart: boolean;
  readonly allowUserAutostop: boolean;
}

const sourceTemplateSelect = {
  ...templateFactsSelect,
  deleted: true,
  deprecationMessage: true,
  defaultTtlMs: true,
  allowUserAutostart: true,
  allowUserAutostop: true,
} as const;

/** The template and version to build from, by whichever of the two ids is given. What the caller may not read does not exist. */
async function loadSource(call: UserCall, { template_id, template_version_id }: Input): Promise<Source> {
  if ((template_id === undefined) === (template_version_id === undefined)) {
    const detail = 'give either template_id or template_version_id';
    throw invalid('Validation failed.', [
      { field: 'template_id', detail },
      { field: 'template_version_id', detail },
    ]);
  }
  const field = template_id === undefined ? 'template_version_id' : 'template_id';
  const source = template_id === undefined ? await byVersion(call.db, template_version_id ?? '') : await byTemplate(call.db, template_id);
  if (source === null || !call.authorize.can('read', templateRef(source.template))) throw invalidField(field, 'does not exist');
  if (source.template.deleted) throw notFound();
  return source;
}

async function byTemplate(db: Tx, id: string): Promise<Source | null> {
  const template = await db.template.findUnique({ where: { id }, select: sourceTemplateSelect });
  if (template === null) return null;
  const version = await db.templateVersion.findUnique({ where: { id: template.activeVersionId }, select: buildVersionSelect });
  return version === null ? null : { template, version };
}

async function byVersion(db: Tx, id: string): Promise<Source | null> {
  const version = await db.templateVersion.findUnique({ where: { id }, select: buildVersionSelect });
  if (version === null || version.templateId === null) return null;
  const template = await db.template.findUnique({ where: { id: version.templateId }, select: sourceTemplateSelect });
  return template === null ? null : { template, version };
}

/** Until the workspace stands, nobody deletes its template or archives its version. */
async function holdSource(db: UserCall['db'], { templateId, versionId }: { templateId: string; versionId: string }): Promise<void> {
  const held = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM templates t JOIN template_versions v ON v.id = ${versionId}::uuid
    WHERE t.id = ${templateId}::uuid AND NOT t.deleted AND NOT v.archived FOR KEY SHARE OF t, v`;
  if (held.length === 0) throw notFound();
}

function requireUsable(template: TemplateUse, version: BuildVersionRow): void {
  if (version.archived) throw invalidField('template_version_id', 'is archived');
  if (template.deprecationMessage !== '') {
    throw invalid(`The template is deprecated: ${template.deprecationMessage}`);
  }
}

function requireSoundFields({ name, autostart_schedule, ttl_ms }: Input): void {
  const problems: [field: string, problem: string | null][] = [
    ['name', nameProblem('name', name)],
    ['schedule', hasSchedule(autostart_schedule) ? autostartProblem(autostart_schedule) : null],
    ['ttl_ms', ttlProblem(ttl_ms ?? null)],
  ];
  const validations = problems.flatMap(([field, detail]) => (detail === null ? [] : [{ field, detail }]));
  if (validations.length > 0) throw invalid('Validation failed.', validations);
}

function hasSchedule(schedule: string | null | undefined): schedule is string {
  return schedule !== undefined && schedule !== null && schedule !== '';
}

interface NewWorkspace {
  readonly ownerId: string;
  readonly template: Source['template'];
  readonly input: Input;
}

async function insertWorkspace(call: UserCall, { ownerId, template, input }: NewWorkspace) {
  const now = call.services.clock.now();
  const ttlMs = initialTtlMs(input.ttl_ms ?? null, Number(template.defaultTtlMs));
  try {
    return await call.db.workspace.create({
      data: {
        id: newId(),
        organizationId: template.organizationId,
        ownerId,
        templateId: template.id,
        name: input.name,
        autostartSchedule: hasSchedule(input.autostart_schedule) ? input.autostart_schedule : null,
        ttlMs: ttlMs === null ? null : BigInt(ttlMs),
        automaticUpdates: input.automatic_updates ?? 'never',
        createdAt: now,
        updatedAt: now,
        lastUsedAt: now,
      },
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw conflict('The user already has a workspace of this name.', [
      { field: 'name', detail: 'is taken by another workspace of the user' },
    ]);
  }
}
