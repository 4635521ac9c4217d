import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';

export const Login = z
  .object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1024) })
  .meta({ id: 'LoginWithPasswordRequest' });

export const LoginResponse = z
  .object({ session_token: z.string().meta({ description: 'The API key of the new session, also set as a cookie.' }) })
  .meta({ id: 'LoginWithPasswordResponse' });

export const AuthMethods = z
  .object({
    terms_of_service_url: z.string(),
    password: z.object({ enabled: z.boolean() }),
    codehost: z.object({ enabled: z.boolean() }),
    oidc: z.object({ enabled: z.boolean(), signInText: z.string(), iconUrl: z.string() }),
    providers: z
      .array(z.object({ id: z.string(), type: z.enum(['oidc', 'codehost']), display_name: z.string(), icon_url: z.string() }))
      .meta({ description: 'Every provider that people may sign in with, in the order of the settings.' }),
    password_reset: z.object({ enabled: z.boolean() }).meta({ description: 'Whether a forgotten password can be reset by e-mail.' }),
  })
  .meta({ id: 'AuthMethods', description: 'The ways to sign in that this deployment offers.' });

export type AuthMethods = z.output<typeof AuthMethods>;

export const ValidatePassword = z.object({ password: z.string().max(1024) }).meta({ id: 'ValidateUserPasswordRequest' });

export const ValidatePasswordResponse = z
  .object({ valid: z.boolean(), details: z.string().meta({ description: 'Why the password is refused; empty when it is fine.' }) })
  .meta({ id: 'ValidateUserPasswordResponse' });

/** An address of the form of one: whether anybody has it is not told. */
const Email = nameField('email');

export const RequestPasscode = z.object({ email: Email }).meta({ id: 'RequestOneTimePasscodeRequest' });

export const ChangePasswordWithPasscode = z
  .object({ email: Email, password: z.string().max(1024), one_time_passcode: z.string().max(256) })
  .meta({ id: 'ChangePasswordWithOneTimePasscodeRequest' });

export const LogoutResponse = Confirmation;

export const routes = {
  login: route({
    method: 'POST',
    path: '/users/login',
    tag: 'Authorization',
    id: 'log-in-user',
    summary: 'Sign in with e-mail and password',
    status: 201,
    errors: ['unauthenticated', 'forbidden'],
  }),
  logout: route({ method: 'POST', path: '/users/logout', tag: 'Users', id: 'log-out-user', summary: 'End the session of this request' }),
  validatePassword: route({
    method: 'POST',
    path: '/users/validate-password',
    tag: 'Authorization',
    id: 'validate-user-password',
    summary: 'Whether a password is good enough',
  }),
  requestPasscode: route({
    method: 'POST',
    path: '/users/otp/request',
    tag: 'Authorization',
    id: 'request-one-time-passcode',
    summary: 'Send a one-time passcode for a forgotten password',
    description: 'Answers the same, after the same time, whether or not anybody has the address.',
    status: 204,
    errors: ['forbidden'],
  }),
  changePasswordWithPasscode: route({
    method: 'POST',
    path: '/users/otp/change-password',
    tag: 'Authorization',
    id: 'change-password-with-a-one-time-passcode',
    summary: 'Set a new password with a one-time passcode',
    status: 204,
    errors: ['forbidden'],
  }),
  methods: route({ method: 'GET', path: '/users/authmethods', tag: 'Users', id: 'get-authentication-methods', summary: 'Ways to sign in' }),
};
