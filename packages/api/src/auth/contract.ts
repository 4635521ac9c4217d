import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
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
  })
  .meta({ id: 'AuthMethods', description: 'The ways to sign in that this deployment offers.' });

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
  methods: route({ method: 'GET', path: '/users/authmethods', tag: 'Users', id: 'get-authentication-methods', summary: 'Ways to sign in' }),
};
