import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { z } from 'zod';
import { Coordinator, DerpTraffic, Expvar, OidcContext, OidcContextOf, Tailnet, routes } from './contract.ts';
import { coordinator, derpTraffic, expvar, tailnet } from './inside.ts';
import { oidcContext } from './oidc-context.ts';

export const debugRouter = t.router({
  expvar: userProcedure
    .meta({ ...routes.expvar, permission: 'debug_info:read' })
    .input(z.object({}))
    .output(Expvar)
    .query(({ ctx }) => expvar(ctx)),

  derpTraffic: userProcedure
    .meta({ ...routes.derpTraffic, permission: 'debug_info:read' })
    .input(z.object({}))
    .output(DerpTraffic)
    .query(({ ctx }) => derpTraffic(ctx)),

  coordinator: userProcedure
    .meta({ ...routes.coordinator, permission: 'debug_info:read' })
    .input(z.object({}))
    .output(Coordinator)
    .query(({ ctx }) => coordinator(ctx)),

  tailnet: userProcedure
    .meta({ ...routes.tailnet, permission: 'debug_info:read' })
    .input(z.object({}))
    .output(Tailnet)
    .query(({ ctx }) => tailnet(ctx)),

  oidcContext: userProcedure
    .meta({ ...routes.oidcContext, permission: 'debug_info:read' })
    .input(OidcContextOf)
    .output(OidcContext)
    .query(({ ctx, input }) => oidcContext(ctx, input)),
});
