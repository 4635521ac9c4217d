import { z } from 'zod';
import { route } from '../kernel/route.ts';

export const AppHost = z
  .object({
    host: z.string().meta({
      description:
        'Put the `subdomain_name` of an app in place of its star: `*.apps.example.com`, with a port where there is one. Empty: apps have only paths.',
    }),
  })
  .meta({ id: 'AppHostResponse', description: 'The domain whose names are apps of workspaces.' });
export type AppHost = z.output<typeof AppHost>;

/** A browser that was on the host of an app without being signed in there. */
export const SignInToApp = z.object({
  /** The address on the app's host that it asked for. */
  redirect_uri: z.string().max(8192),
  /** What the app's host sent along, to know its own browser again; empty when the browser did not come from there. */
  state: z.string().max(128).default(''),
});

export const AppAddress = z.object({ redirect_to: z.string() });
export type AppAddress = z.output<typeof AppAddress>;

export const routes = {
  host: route({
    method: 'GET',
    path: '/applications/host',
    tag: 'Applications',
    id: 'get-applications-host',
    summary: 'Get the domain of apps',
    description: 'Deprecated: it never changes while a server runs; read it once.',
    deprecated: true,
  }),
};
