import { initTRPC } from '@trpc/server';
import type { Context } from './context.ts';
import { reportOf } from './errors.ts';
import type { Meta } from './meta.ts';

/** tRPC bound to our context and meta. No transformer: both doors carry the same JSON. */
export const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isServer: true,
    sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 45_000 } },
    errorFormatter({ shape, error, ctx }) {
      const report = reportOf(error);
      return {
        code: shape.code,
        message: report.message,
        data: {
          code: shape.data.code,
          httpStatus: report.status,
          kind: report.kind,
          detail: report.detail,
          validations: report.validations,
          request_id: ctx?.request.requestId ?? '',
        },
      };
    },
  });
