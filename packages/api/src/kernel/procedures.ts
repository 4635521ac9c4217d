import { DomainError, forbidden, notFound, unauthenticated } from '@berth/core';
import type { Tx } from '@berth/db';
import { isSerializationFailure } from '@berth/db';
import type { ActionOf, ListScope, ObjectRef, Permission, ResourceType } from '@berth/rbac';
import { can, listScope, permissionParts } from '@berth/rbac';
import { TRPCError } from '@trpc/server';
import { AuditRecorder, writeAuditRow } from './audit.ts';
import type { Context, Services, UserPrincipal } from './context.ts';
import type { ErrorReport } from './errors.ts';
import { databaseUnavailable, refusalOfDatabase, reportOf, toTrpcError } from './errors.ts';
import type { Meta, PermissionFact } from './meta.ts';
import { storable } from './storable.ts';
import { t } from './trpc.ts';

/** Rolls a transaction back when the procedure failed: `next()` resolves with the failure instead of throwing it. */
class Rollback extends Error {}

const TRANSACTION = { maxWait: 10_000, timeout: 20_000 };
/** How often a mutation is begun anew when another one was in its way. */
const TRIES = 3;

/** Refuses a procedure whose meta does not say who may call it: a mistake in our code, never in a request. */
function permissionFact(meta: Meta | undefined): PermissionFact {
  if (meta?.permission === undefined) throw new Error('a procedure without a permission fact');
  return meta.permission;
}

/** Turns domain errors into tRPC's, and logs what nobody expected. */
const refusals = t.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok) return result;
  const cause = result.error.cause;
  if (cause instanceof DomainError) return { ...result, error: toTrpcError(cause) };
  const refusal = refusalOfDatabase(cause);
  if (databaseUnavailable(cause) !== null) {
    ctx.services.log.warn({ reason: cause?.message, path, request_id: ctx.request.requestId }, 'the database could not serve a procedure');
  }
  if (refusal !== null) return { ...result, error: toTrpcError(refusal) };
  if (reportOf(result.error).status >= 500) {
    ctx.services.log.error({ err: cause ?? result.error, path, request_id: ctx.request.requestId }, 'a procedure failed');
  }
  return result;
});

const identified = t.middleware(async ({ ctx, next }) => next({ ctx: { principal: await ctx.authenticate() } }));

/** Runs `work` in a transaction that is undone when its result is a failure. */
async function inTransaction<R extends { ok: boolean }>(
  services: Services,
  work: (db: Tx) => Promise<R>,
  complete: (db: Tx) => Promise<void>,
): Promise<R> {
  let result: R | undefined;
  try {
    await services.prisma.$transaction(async (db) => {
      result = await work(db);
      if (!result.ok) throw new Rollback();
      await complete(db);
    }, TRANSACTION);
  } catch (error) {
    if (!(error instanceof Rollback)) throw error;
  }
  if (result === undefined) throw new Error('a transaction ended without a result');
  return result;
}

const noAttempt: Attempt = () => Promise.reject(new Error('only an untransacted mutation makes attempts'));

/** Runs `work` in a transaction, with the audit rows of what it changed. */
export type Atomically = <T>(work: (db: Tx) => Promise<T>) => Promise<T>;

/**
 * Runs `work` in a transaction of its own, with the audit rows of what it changed. What it throws comes back as a report, after the
 * refused attempt was recorded: for a mutation that does many things, each for itself.
 */
export type Attempt = <T>(work: (db: Tx) => Promise<T>) => Promise<Attempted<T>>;
type Attempted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly report: ErrorReport };

/**
 * Opens the transaction of a mutation and writes its audit rows in it. A failure rolls everything back and, when the thing was
 * named, leaves one row about the attempt, written outside. Queries pass through on the pool; so does an `untransacted` mutation, which
 * makes its change by `atomically` when it has waited for what it waits for.
 */
const transacted = identified.unstable_pipe(async ({ ctx, path, meta, type, next }) => {
  permissionFact(meta);
  const { services } = ctx;
  const audit = new AuditRecorder();
  const committed: (() => void)[] = [];
  const afterCommit = (run: () => void): void => void committed.push(run);
  const call = (db: Tx, atomically: Atomically, attempt: Attempt = noAttempt) =>
    next({ ctx: { audit, afterCommit, db, atomically, attempt } });
  if (type !== 'mutation') return call(services.prisma, () => Promise.reject(new Error('a query changes nothing')));

  const fact = meta?.audit;
  if (fact === undefined) throw new Error('a mutation without an audit fact');
  const principalId = ctx.principal.kind === 'user' ? ctx.principal.userId : null;
  const record = async (db: Tx, statusCode: number): Promise<void> => {
    if ('none' in fact) return;
    for (const subject of audit.subjects) {
      await writeAuditRow(db, {
        ...subject,
        resource: fact.resource,
        action: subject.action ?? fact.action,
        userId: subject.actorId ?? principalId,
        statusCode,
        request: ctx.request,
      });
    }
  };

  const status = meta?.rest?.status ?? 200;
  if (meta?.untransacted === undefined) {
    const attempt = () =>
      inTransaction(
        services,
        (db) => call(db, (work) => work(db)),
        (db) => record(db, status),
      );
    let result = await attempt();
    for (let tries = 1; tries < TRIES && !result.ok && isSerializationFailure(result.error.cause); tries++) {
      services.log.warn({ path, request_id: ctx.request.requestId }, 'a mutation begins anew: another one was in its way');
      audit.discard();
      committed.length = 0;
      result = await attempt();
    }
    if (result.ok) for (const run of committed) run();
    else await record(services.prisma, reportOf(result.error).status);
    return result;
  }

  let isRecorded = 'none' in fact;
  const atomically: Atomically = async (work) => {
    const value = await services.prisma.$transaction(async (db) => {
      const value = await work(db);
      await record(db, status);
      return value;
    }, TRANSACTION);
    isRecorded = true;
    for (const run of committed.splice(0)) run();
    return value;
  };
  const attempt: Attempt = async (work) => {
    isRecorded = true;
    for (let tries = 1; ; tries++) {
      audit.discard();
      committed.length = 0;
      try {
        return { ok: true, value: await atomically(work) };
      } catch (error) {
        if (tries < TRIES && isSerializationFailure(error)) continue;
        const report = reportOf(refusalOfDatabase(error) ?? error);
        if (report.status >= 500) {
          services.log.error({ err: error, path, request_id: ctx.request.requestId }, 'one of many attempts failed');
        }
        await record(services.prisma, report.status);
        return { ok: false, report };
      }
    }
  };
  const result = await call(services.prisma, atomically, attempt);
  if (!result.ok && !isRecorded) await record(services.prisma, reportOf(result.error).status);
  if (result.ok && !isRecorded) throw new Error('an untransacted mutation answered without making its change by `atomically`');
  return result;
});

const base = t.procedure.use(refusals).use(transacted);

/** For anyone, signed in or not. */
export const publicProcedure = base
  .use(({ meta, next }) => {
    if (permissionFact(meta) !== 'public') throw new Error('a public procedure must say so in its meta');
    return next();
  })
  .use(storable);

/** What a signed-in procedure may ask about its own permission. */
export interface Authorizer {
  /**
   * Asks whether the caller may do what the procedure's meta names to `object`. Refuses as the house does: 404 when the caller may
   * not even read the object, else 403. `sitewide` objects are no secret, so a refusal is always 403.
   */
  require(object: ObjectRef, options?: { sitewide?: boolean }): void;
  /** The same question about any action that the type of `object` knows; a plain answer. */
  can<T extends ResourceType>(action: ActionOf<T>, object: ObjectRef<T>): boolean;
  /** The rows that a permission (the procedure's own, unless named) reaches: what a list filters by in SQL. */
  scope(permission?: Permission): ListScope;
}

class PermissionCheck implements Authorizer {
  readonly #principal: UserPrincipal;
  readonly #fact: PermissionFact;
  asked = false;

  constructor(principal: UserPrincipal, fact: PermissionFact) {
    this.#principal = principal;
    this.#fact = fact;
  }

  require(object: ObjectRef, options: { sitewide?: boolean } = {}): void {
    this.asked = true;
    if (this.can(permissionParts(this.#own()).action, object)) return;
    throw options.sitewide === true || this.can('read', object) ? forbidden() : notFound();
  }

  can<T extends ResourceType>(action: ActionOf<T>, object: ObjectRef<T>): boolean {
    return can(this.#principal.subject, action, object);
  }

  scope(permission?: Permission): ListScope {
    this.asked = true;
    return listScope(this.#principal.subject, permission ?? this.#own());
  }

  #own(): Permission {
    const fact = this.#fact;
    if (fact === 'public' || fact === 'signed-in' || fact === 'agent' || fact === 'provisioner' || fact === 'scim') {
      throw new Error(`'${fact}' is no permission to ask for`);
    }
    return fact;
  }
}

/**
 * For signed-in users. A procedure whose meta names a permission must ask `ctx.authorize` before it answers; one that forgets
 * fails closed, in the same transaction.
 */
export const userProcedure = base
  .use(async ({ ctx, meta, next }) => {
    const fact = permissionFact(meta);
    if (ctx.principal.kind !== 'user') throw unauthenticated();
    const check = new PermissionCheck(ctx.principal, fact);
    const authorize: Authorizer = check;
    const result = await next({ ctx: { principal: ctx.principal, authorize } });
    if (result.ok && fact !== 'signed-in' && !check.asked) {
      throw new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'the procedure answered without asking for its permission' });
    }
    return result;
  })
  .use(storable);

/** For agents, by their token. What programs in a workspace print may be any bytes; the use cases make storable text of it. */
export const agentProcedure = base.use(({ ctx, meta, next }) => {
  if (permissionFact(meta) !== 'agent') throw new Error('an agent procedure must say so in its meta');
  if (ctx.principal.kind !== 'agent') throw unauthenticated('Send the token of an agent whose workspace build is the latest.');
  return next({ ctx: { principal: ctx.principal } });
});

/** For provisioner daemons, by their key. */
export const provisionerProcedure = base
  .use(({ ctx, meta, next }) => {
    if (permissionFact(meta) !== 'provisioner') throw new Error('a provisioner procedure must say so in its meta');
    if (ctx.principal.kind !== 'provisioner') throw unauthenticated('Send a provisioner key in the Service-Provisioner-Key header.');
    return next({ ctx: { principal: ctx.principal } });
  })
  .use(storable);

/** For the identity provider that manages accounts, by the token of the settings. */
export const scimProcedure = base
  .use(({ ctx, meta, next }) => {
    if (permissionFact(meta) !== 'scim') throw new Error('a SCIM procedure must say so in its meta');
    if (ctx.principal.kind !== 'scim') throw unauthenticated('Send the SCIM token as a bearer token.');
    return next({ ctx: { principal: ctx.principal } });
  })
  .use(storable);

/** What every use case gets: the database (the transaction, in a mutation), who asks, what may be asked and recorded. */
export interface Call {
  readonly services: Context['services'];
  readonly request: Context['request'];
  readonly db: Tx;
  readonly audit: AuditRecorder;
  /** Runs once the transaction is committed: for caches of this process. News for others goes through `bus.publish(db, …)`. */
  readonly afterCommit: (run: () => void) => void;
  /** For an `untransacted` mutation: makes its change and writes its audit rows in one transaction. In others, `db` is that one. */
  readonly atomically: Atomically;
  /** For an `untransacted` mutation that does many things: each in a transaction of its own. */
  readonly attempt: Attempt;
}

/** A use case of a signed-in user. */
export interface UserCall extends Call {
  readonly principal: UserPrincipal;
  readonly authorize: Authorizer;
  /** Asks anew who calls: for streams, which outlive the rights they began with. */
  readonly authenticate: Context['authenticate'];
}

/**
 * The call of a signed-in user outside the router, for what is not JSON in, JSON out: the same principal, the same questions.
 * Reads only; throws `unauthenticated` for anyone who is not a user.
 */
export async function userCallFor(ctx: Context, permission: Permission): Promise<UserCall> {
  const principal = await ctx.authenticate();
  if (principal.kind !== 'user') throw unauthenticated();
  return {
    services: ctx.services,
    request: ctx.request,
    db: ctx.services.prisma,
    audit: new AuditRecorder(),
    afterCommit: (run) => run(),
    atomically: () => Promise.reject(new Error('a read changes nothing')),
    attempt: noAttempt,
    principal,
    authorize: new PermissionCheck(principal, permission),
    authenticate: ctx.authenticate,
  };
}
