import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { appHost } from './app-host.ts';
import { AppAddress, AppHost, SignInToApp, routes } from './contract.ts';
import { signInToApp } from './sign-in.ts';

export const applicationsRouter = t.router({
  host: userProcedure
    .meta({ ...routes.host, permission: 'signed-in' })
    .input(z.object({}))
    .output(AppHost)
    .query(({ ctx }) => appHost(ctx)),

  /** Behind `GET /applications/auth-redirect`, which is for browsers. */
  signIn: userProcedure
    .meta({ permission: 'api_key:create', audit: { resource: 'api_key', action: 'create' } })
    .input(SignInToApp)
    .output(AppAddress)
    .mutation(({ ctx, input }) => signInToApp(ctx, input)),
});
