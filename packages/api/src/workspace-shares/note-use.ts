import { writeAuditRow } from '../kernel/audit.ts';
import type { RequestFacts, Services } from '../kernel/context.ts';
import type { OpenShare } from './let-in.ts';
import { shareSelect } from './presenter.ts';
import { recordOf } from './record.ts';

/** The use of a share by a user is told once in this time; `last_used_at` says so to the owner. */
const TELL_EVERY_MS = 10 * 60_000;
/** A bound on what a process remembers; who is forgotten is told of again. */
const REMEMBERED_MAX = 10_000;

const told = new WeakMap<Services, Map<string, number>>();

export interface ShareUse {
  readonly share: OpenShare;
  readonly userId: string;
  readonly request: RequestFacts;
  /** Told each time, however often: for what is opened seldom. */
  readonly always?: boolean;
}

/**
 * Notes that somebody came in by a share, for its owner: when, and a row in the audit log in the name of who came. Call it whenever
 * somebody does; what comes again within ten minutes is not written again, so it costs a request of an app nothing.
 */
export async function noteUse(services: Services, { share, userId, request, always = false }: ShareUse): Promise<void> {
  const { prisma, clock } = services;
  const now = clock.now();
  const known = told.get(services) ?? new Map<string, number>();
  told.set(services, known);
  const key = `${share.id}:${userId}`;
  const last = known.get(key);
  if (!always && last !== undefined && now.getTime() - last < TELL_EVERY_MS) return;
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(key, now.getTime());
  try {
    await prisma.$transaction(async (db) => {
      const row = await db.workspaceShare.update({
        where: { id: share.id },
        data: { lastUsedAt: now },
        select: { ...shareSelect, workspace: { select: { name: true, organizationId: true } } },
      });
      await writeAuditRow(db, {
        resource: 'workspace',
        action: 'login',
        resourceId: row.workspaceId,
        target: row.workspace.name,
        organizationId: row.workspace.organizationId,
        userId,
        statusCode: 200,
        request,
        additionalFields: recordOf(row, 'used'),
      });
    });
  } catch (error) {
    known.delete(key);
    throw error;
  }
}
