import { newId } from '@berth/core';
import type { Prisma, Tx } from '@berth/db';
import type { AuditAction, AuditResourceType } from '@berth/domain';
import { auditDiff } from '@berth/domain';
import type { RequestFacts } from './context.ts';

/** What a use case tells of the thing it changed. Only tracked fields of `before` and `after` enter the diff. */
export interface AuditSubject {
  readonly resourceId: string;
  /** The name of the thing, as people know it. */
  readonly target: string;
  readonly icon?: string;
  readonly organizationId?: string | null;
  /** The tracked state before and after; absent for something that did not exist or no longer does. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly additionalFields?: Readonly<Record<string, unknown>>;
  /** Who did it, where the request carries no signed-in user: sign-in itself. */
  readonly actorId?: string;
  readonly buildReason?: string;
  /** Overrides of the procedure's own fact, for procedures that may do one of two things. */
  readonly action?: AuditAction;
}

export interface AuditRow extends AuditSubject {
  readonly resource: AuditResourceType;
  readonly action: AuditAction;
  readonly userId: string | null;
  readonly statusCode: number;
  readonly request: RequestFacts;
}

const TARGET_LENGTH_MAX = 512;

/**
 * Writes one audit row through `db`: the transaction of the change itself, so that a change whose row fails does not happen.
 * A failed attempt (`statusCode` of 400 and more) has an empty diff.
 */
export async function writeAuditRow(db: Tx, row: AuditRow): Promise<void> {
  const diff = row.statusCode >= 400 ? {} : auditDiff(row.resource, row.before ?? {}, row.after ?? {});
  await db.auditLog.create({
    data: {
      id: newId(),
      organizationId: row.organizationId ?? null,
      userId: row.userId,
      ip: row.request.ip,
      userAgent: row.request.userAgent.slice(0, 512),
      requestId: row.request.requestId,
      resourceType: row.resource,
      resourceId: row.resourceId,
      // An index holds it.
      resourceTarget: row.target.slice(0, TARGET_LENGTH_MAX),
      resourceIcon: row.icon ?? '',
      action: row.action,
      diff: toJson(diff),
      statusCode: row.statusCode,
      additionalFields: toJson(row.additionalFields ?? {}),
      buildReason: row.buildReason ?? null,
    },
    select: { id: true },
  });
}

/** JSON as the column takes it: dates become ISO strings, bigints numbers. */
function toJson(value: unknown): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item)));
}

/** Collects what a mutation records; the audit middleware writes it. */
export class AuditRecorder {
  #subjects: AuditSubject[] = [];

  /** Names the thing as soon as it is known, so that a refusal after this point is recorded with it. */
  set(subject: AuditSubject): void {
    this.#subjects = [subject];
  }

  /** Completes what `set` said, typically with the state after the change. */
  update(part: Partial<AuditSubject>): void {
    const last = this.#subjects.pop();
    if (last === undefined) throw new Error('audit.update before audit.set');
    this.#subjects.push({ ...last, ...part });
  }

  /** One more row, for a mutation that changes several things at once. */
  add(subject: AuditSubject): void {
    this.#subjects.push(subject);
  }

  /** Takes back what `set` said, for a success that is recorded elsewhere: a build, when it ends. */
  discard(): void {
    this.#subjects = [];
  }

  get subjects(): readonly AuditSubject[] {
    return this.#subjects;
  }
}
