import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { OidcContext, OidcContextOf, routes } from './contract.ts';
import { oidcContext } from './oidc-context.ts';

export const debugRouter = t.router({
  oidcContext: userProcedure
    .meta({ ...routes.oidcContext, permission: 'debug_info:read' })
    .input(OidcContextOf)
    .output(OidcContext)
    .query(({ ctx, input }) => oidcContext(ctx, input)),
});
