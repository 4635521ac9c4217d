import type { AnyProcedure } from '@trpc/server';
import type { Meta } from './kernel/meta.ts';
import { appRouter } from './router.ts';

export interface ProcedureFacts {
  /** Dotted path in the router, such as `workspaces.get`. */
  readonly path: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly meta: Meta;
  readonly procedure: AnyProcedure;
}

/** Every procedure of the router with its facts, in the router's order: what REST, the document and the walking tests read. */
export function procedureFacts(): ProcedureFacts[] {
  // tRPC keeps procedures in one flat record by dotted path, and types it as the nested one.
  const flat = appRouter._def.procedures as unknown as Record<string, AnyProcedure & { _def: { meta?: Meta } }>;
  return Object.entries(flat).map(([path, procedure]) => ({ path, type: procedure._def.type, meta: procedure._def.meta ?? {}, procedure }));
}
