import { newId } from '@berth/core';
import type { IdpSyncPlan } from '@berth/domain';
import { planIdpSync } from '@berth/domain';
import { lockUser } from '../auth/lock-user.ts';
import { writeAuditRow } from '../kernel/audit.ts';
import type { Call } from '../kernel/procedures.ts';
import { announceRights } from '../kernel/rights.ts';
import { carryOut } from './carry-out.ts';
import { planSettings, readFacts } from './facts.ts';
import { readIdpSync } from './settings.ts';

export type SyncCall = Pick<Call, 'db' | 'services' | 'afterCommit' | 'audit'> & Partial<Pick<Call, 'request'>>;

export interface SignInFacts {
  readonly userId: string;
  /** The configured provider that was used. */
  readonly providerId: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The account was made by this very sign-in. */
  readonly isNew?: boolean;
}

/**
 * Gives a user the organizations, groups, organization roles and site roles that the claims of a sign-in mean, exactly, and answers the
 * organizations that they are in afterwards. `call.db` must be a transaction. Never throws for what claims or settings say: a part that
 * cannot be read stays as it is; a failure of the whole is undone, logged and recorded, and the sign-in goes on.
 */
export async function applyIdpSync(call: SyncCall, input: SignInFacts): Promise<{ organizationIds: string[] }> {
  const { db, services } = call;
  await db.$executeRaw`SAVEPOINT idp_sync`;
  try {
    const plan = await planned(call, input);
    const audit = auditor(call, input);
    const hasChanged = await carryOut(call, { plan, userId: input.userId, audit });
    await recordProblems(call, { plan, audit, userId: input.userId });
    if (hasChanged) await announceRights(call, input.userId);
    await db.$executeRaw`RELEASE SAVEPOINT idp_sync`;
  } catch (error) {
    await db.$executeRaw`ROLLBACK TO SAVEPOINT idp_sync`;
    services.log.error(
      { err: error, user_id: input.userId, provider: input.providerId },
      'claims could not be synced; the sign-in goes on',
    );
    await auditor(
      call,
      input,
    )({
      resource: 'user',
      action: 'write',
      statusCode: 500,
      resourceId: input.userId,
      target: await usernameOf(call, input.userId),
      additionalFields: { problems: ['The claims could not be synced. The server log says why.'] },
    });
  }
  const rows = await db.organizationMember.findMany({
    where: { userId: input.userId },
    select: { organizationId: true },
    orderBy: { createdAt: 'asc' },
  });
  return { organizationIds: rows.map(({ organizationId }) => organizationId) };
}

async function planned({ db, services }: SyncCall, { userId, providerId, claims, isNew = false }: SignInFacts): Promise<IdpSyncPlan> {
  await lockUser(db, userId);
  // Nobody is taken out of an organization while they are put into its groups.
  await db.$executeRaw`SELECT 1 FROM organization_members WHERE user_id = ${userId}::uuid ORDER BY organization_id FOR UPDATE`;
  const settings = planSettings(await readIdpSync(db), services.settings.signOn, providerId);
  const facts = await readFacts(db, { userId, isNew, settings });
  return planIdpSync({ claims, settings, facts });
}

export type SyncAudit = (
  row: Omit<Parameters<typeof writeAuditRow>[1], 'userId' | 'request' | 'statusCode'> & { statusCode?: number },
) => Promise<void>;

/** Writes rows that nobody did by hand: without an actor, marked as the sync's. */
function auditor({ db, request }: SyncCall, { providerId }: SignInFacts): SyncAudit {
  return async ({ statusCode = 200, additionalFields = {}, ...row }) =>
    writeAuditRow(db, {
      ...row,
      statusCode,
      userId: null,
      request: request ?? { requestId: newId(), ip: '', userAgent: '' },
      additionalFields: { automatic_actor: 'Berth', automatic_subsystem: 'idp_sync', provider: providerId, ...additionalFields },
    });
}

/** Claims that cannot be read change nothing, so a row is all that tells of them. */
async function recordProblems(
  call: SyncCall,
  { plan, audit, userId }: { plan: IdpSyncPlan; audit: SyncAudit; userId: string },
): Promise<void> {
  const failed = plan.trace.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return;
  await audit({
    resource: 'user',
    action: 'write',
    statusCode: 400,
    resourceId: userId,
    target: await usernameOf(call, userId),
    additionalFields: {
      problems: failed.map(({ kind, organizationId, field, reason }) => ({ kind, organization_id: organizationId, field, reason })),
    },
  });
}

async function usernameOf({ db }: SyncCall, userId: string): Promise<string> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { username: true } });
  return user?.username ?? '';
}
