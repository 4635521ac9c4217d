import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { checkAuthorization } from './check.ts';
import { AuthorizationAnswers, CheckAuthorization, ExplainAuthorization, Explanation, routes } from './contract.ts';
import { explainAuthorization } from './explain.ts';

const READS_ONLY = { audit: { none: 'asks, and changes nothing' }, untransacted: 'reads only' } as const;

export const authorizationRouter = t.router({
  check: userProcedure
    .meta({ ...routes.check, permission: 'signed-in', ...READS_ONLY })
    .input(CheckAuthorization)
    .output(AuthorizationAnswers)
    .mutation(({ ctx, input }) => checkAuthorization(ctx, input)),

  explain: userProcedure
    .meta({ ...routes.explain, permission: 'user:read', ...READS_ONLY })
    .input(ExplainAuthorization)
    .output(Explanation)
    .mutation(({ ctx, input }) => explainAuthorization(ctx, input)),
});
