import { z } from 'zod';
import { publicProcedure, userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import {
  AuthMethods,
  ChangePasswordWithPasscode,
  Login,
  LoginResponse,
  LogoutResponse,
  RequestPasscode,
  ValidatePassword,
  ValidatePasswordResponse,
  routes,
} from './contract.ts';
import { login, logout } from './login.ts';
import { authMethods, validatePassword } from './methods.ts';
import { changePasswordWithPasscode, requestPasscode } from './passcodes.ts';
import { convertLogin } from '../sign-on/convert-login.ts';
import { ConvertLogin, ConvertLoginResponse, routes as signOnRoutes } from '../sign-on/contract.ts';

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
    .query(({ ctx }) => authMethods(ctx.services)),

  validatePassword: publicProcedure
    .meta({
      ...routes.validatePassword,
      permission: 'public',
      audit: { none: 'it changes nothing' },
      untransacted: 'it asks nothing of the database',
    })
    .input(ValidatePassword)
    .output(ValidatePasswordResponse)
    .mutation(({ ctx, input }) => validatePassword(ctx, input)),

  requestPasscode: publicProcedure
    .meta({
      ...routes.requestPasscode,
      permission: 'public',
      audit: { none: 'the row is written with the passcode, after the answer, which must not tell whether there is an account' },
      untransacted: 'the answer does not wait for the passcode',
    })
    .input(RequestPasscode)
    .output(z.void())
    .mutation(({ ctx, input }) => requestPasscode(ctx, input)),

  changePasswordWithPasscode: publicProcedure
    .meta({ ...routes.changePasswordWithPasscode, permission: 'public', audit: { resource: 'user', action: 'write' } })
    .input(ChangePasswordWithPasscode)
    .output(z.void())
    .mutation(({ ctx, input }) => changePasswordWithPasscode(ctx, input)),

  convertLogin: userProcedure
    .meta({ ...signOnRoutes.convertLogin, permission: 'user:update_personal', audit: { resource: 'convert_login', action: 'create' } })
    .input(ConvertLogin)
    .output(ConvertLoginResponse)
    .mutation(({ ctx, input }) => convertLogin(ctx, input)),
});
