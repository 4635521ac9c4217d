import type { Prisma, Template as TemplateRow, Tx } from '@berth/db';
import { Prisma as Sql, isUniqueViolation } from '@berth/db';
import type { PolicyChange } from '@berth/domain';
import { exceedsLevel, movesDeadlines, movesDeletions } from '@berth/domain';
import type { Services } from '../../kernel/context.ts';
import { templateChannel } from '../../kernel/channels.ts';
import type { UserCall } from '../../kernel/procedures.ts';
import { instantSql } from '../../kernel/wire-sql.ts';
import { recomputeDeadlines } from '../../schedules/index.ts';
import { trackedTemplate } from '../audit.ts';
import type { Template } from '../contract.ts';
import { nameTaken } from '../insert-template.ts';
import { holdTemplate } from '../judged-template.ts';
import { tellWorkspaces } from '../tell-workspaces.ts';
import { readTemplate } from '../template-sql.ts';
import type { UpdateTemplateInput } from './contract.ts';
import { changedTemplate, policyChange } from './template-columns.ts';

/**
 * Changes a template: what is absent stays. What new rules mean for the workspaces that are there happens with it: dormant ones get their
 * time of deletion, running ones their deadline, and shares of ports above the level go.
 *
 * @throws conflict when the name is taken.
 */
export async function updateTemplate(call: UserCall, input: UpdateTemplateInput): Promise<Template> {
  const { db, services } = call;
  const { template, object } = await holdTemplate(db, input.template);
  call.audit.set({ resourceId: template.id, target: template.name, icon: template.icon, organizationId: template.organizationId });
  call.authorize.require(object);

  const changed = changedTemplate(template, input);
  const updated = await store(db, { ...changed, updatedAt: services.clock.now() });
  call.audit.update({ target: updated.name, before: trackedTemplate(template), after: trackedTemplate(updated) });
  await applyToWorkspaces(db, services, updated, policyChange(template, input, services.clock.now()));
  // Who used the template as a member at large may have no part in it any more.
  if (input.disable_everyone_group_access === true) await services.bus.publish(db, templateChannel, { template_id: template.id });
  await tellWorkspaces(db, services, template.id);
  return (await readTemplate(db, services, Sql.sql`t.id = ${template.id}::uuid`)).template;
}

async function store(db: Tx, { id, groupAcl, userAcl: _userAcl, ...columns }: TemplateRow): Promise<TemplateRow> {
  try {
    return await db.template.update({ where: { id }, data: { ...columns, groupAcl: groupAcl as Prisma.InputJsonValue } });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

/** In the order of their ids, so that two changes that reach the same workspaces wait instead of meeting. */
async function holdWorkspaces(db: Tx, templateId: string): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM workspaces WHERE template_id = ${templateId}::uuid AND NOT deleted ORDER BY id FOR UPDATE`;
}

async function applyToWorkspaces(db: Tx, services: Services, updated: TemplateRow, change: PolicyChange): Promise<void> {
  const { now, before, after, actions } = change;
  const lowersLevel = exceedsLevel(before.maxPortShareLevel, after.maxPortShareLevel);
  const isMoving = movesDeadlines(before.schedule.autostopRequirement, after.schedule.autostopRequirement);
  if (!(lowersLevel || isMoving || actions.resetsLastUse || movesDeletions(change))) return;
  await holdWorkspaces(db, updated.id);
  const ofTemplate = { templateId: updated.id, deleted: false };
  if (actions.resetsLastUse) await db.workspace.updateMany({ where: ofTemplate, data: { lastUsedAt: now } });
  if (actions.resetsDormancy) {
    await db.workspace.updateMany({ where: { ...ofTemplate, dormantAt: { not: null } }, data: { dormantAt: now } });
  }
  if (movesDeletions(change)) await setDeletionTimes(db, updated, now);
  if (lowersLevel) await limitPortShares(db, updated, now);
  if (isMoving) await recomputeDeadlines(db, services, updated.id);
}

/** The time at which each dormant workspace is deleted under the template's rule: `deletingAt` of the domain, in SQL. */
async function setDeletionTimes(db: Tx, { id, timeTilDormantAutodeleteMs }: TemplateRow, now: Date): Promise<void> {
  const deletingAt =
    timeTilDormantAutodeleteMs > 0n
      ? Sql.sql`dormant_at + ${timeTilDormantAutodeleteMs}::bigint * interval '1 millisecond'`
      : Sql.sql`NULL`;
  await db.$executeRaw`
    UPDATE workspaces SET deleting_at = ${deletingAt}, updated_at = ${instantSql(now)}
    WHERE template_id = ${id}::uuid AND NOT deleted AND dormant_at IS NOT NULL`;
}

/** Takes back what the template no longer allows: all shares at `owner`, else those for everyone become shares for who is signed in. */
async function limitPortShares(db: Tx, { id, maxPortShareLevel }: TemplateRow, now: Date): Promise<void> {
  const ofTemplate = { workspace: { templateId: id } };
  if (maxPortShareLevel === 'owner') {
    await db.workspacePortShare.deleteMany({ where: ofTemplate });
    return;
  }
  await db.workspacePortShare.updateMany({
    where: { ...ofTemplate, shareLevel: 'public' },
    data: { shareLevel: 'authenticated', updatedAt: now },
  });
}
