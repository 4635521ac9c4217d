import type { ErrorKind } from '@berth/core';

/** What REST needs to know of an operation. Browser-safe: contracts are read by the dashboard too. */
export interface RouteFacts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under `/api/v2`; parameters in braces, named as in the input. */
  readonly path: `/${string}`;
  readonly tag: string;
  /** The operation's name in the published document; unique. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Success status; 200 when absent. 204 sends no body. */
  readonly status?: 200 | 201 | 204;
  /** Refusals beyond `invalid`, `unauthenticated` and `rate_limited`, which every operation may give. */
  readonly errors?: readonly ErrorKind[];
  readonly deprecated?: boolean;
  /** Of a DELETE: its fields may come as a JSON body, too, as the contract of some operations has it. */
  readonly takesBody?: boolean;
}

export interface RouteMeta {
  readonly openapi: {
    readonly method: RouteFacts['method'];
    readonly path: RouteFacts['path'];
    readonly operationId: string;
    readonly summary: string;
    readonly description?: string;
    readonly tags: string[];
    readonly deprecated?: boolean;
  };
  readonly rest: { readonly status: 200 | 201 | 204; readonly errors: readonly ErrorKind[]; readonly takesBody: boolean };
}

/** Turns the facts of a route into procedure meta: `openapi` for the document, `rest` for status and errors. */
export function route(facts: RouteFacts): RouteMeta {
  return {
    openapi: {
      method: facts.method,
      path: facts.path,
      operationId: facts.id,
      summary: facts.summary,
      tags: [facts.tag],
      ...(facts.description === undefined ? {} : { description: facts.description }),
      ...(facts.deprecated === undefined ? {} : { deprecated: facts.deprecated }),
    },
    rest: { status: facts.status ?? 200, errors: facts.errors ?? [], takesBody: facts.takesBody ?? false },
  };
}
