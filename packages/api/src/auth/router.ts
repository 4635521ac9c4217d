import { z } from 'zod';
import { publicProcedure, userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { AuthMethods, Login, LoginResponse, LogoutResponse, routes } from './contract.ts';
import { login, logout } from './login.ts';

export const authRouter = t.router({
  login: publicProcedure
    .meta({ ...routes.login, permission: 'public', audit: { resource: 'api_key', action: 'login' } })
    .input(Login)
    .output(LoginResponse)
    .mutation(({ ctx, input }) => login(ctx, input)),

  logout: userProcedure
    .meta({ ...routes.logout, permission: 'signed-in', audit: { resource: 'api_key', action: 'logout' } })
    .input(z.object({}))
    .output(LogoutResponse)
    .mutation(({ ctx }) => logout(ctx)),

  methods: publicProcedure
    .meta({ ...routes.methods, permission: 'public' })
    .input(z.object({}))
    .output(AuthMethods)
    .query(() => ({
      terms_of_service_url: '',
      password: { enabled: true },
      codehost: { enabled: false },
      oidc: { enabled: false, signInText: '', iconUrl: '' },
    })),
});
