import { uuid } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

const claims = () => z.record(z.string(), z.unknown());

export const OidcContextOf = z.object({
  user: z.string().min(1).max(64).meta({ description: 'A user id, a user name, or `me`.' }),
});

export const OidcContext = z
  .object({ id_token_claims: claims(), user_info_claims: claims(), merged_claims: claims() })
  .meta({ id: 'OIDCContext', description: 'What the provider said of a person at their last sign-in.' });

export const Expvar = z.record(z.string(), z.unknown());

export const DerpTraffic = z.array(
  z.object({ key: z.object({}).meta({ id: 'NodePublicKey' }), recv: z.int(), sent: z.int() }).meta({ id: 'DERPTraffic' }),
);

/** Agents that one answer names. */
export const TUNNELS_MAX = 1000;

export const Coordinator = z
  .object({
    replica_id: uuid(),
    tunnels: z.int().meta({ description: 'Agents that are connected to this server.' }),
    agents: z.array(uuid()).meta({ description: `The first ${TUNNELS_MAX} of them.` }),
  })
  .meta({ id: 'CoordinatorDebug', description: 'What connections into workspaces go through here.' });

export const Tailnet = z
  .object({ replicas: z.array(z.object({ id: uuid(), hostname: z.string(), tunnels: z.int() })) })
  .meta({ id: 'TailnetDebug', description: 'How many agents are connected to each server.' });
export type Tailnet = z.output<typeof Tailnet>;

export const routes = {
  expvar: route({
    method: 'GET',
    path: '/debug/expvar',
    tag: 'Debug',
    id: 'debug-expvar',
    summary: 'Debug expvar',
    description: 'The metrics of this process by name and labels, and its version.',
    errors: ['not_found'],
  }),
  derpTraffic: route({
    method: 'GET',
    path: '/debug/derp/traffic',
    tag: 'Debug',
    id: 'debug-derp-traffic',
    summary: 'Debug DERP traffic',
    description: 'Always none: there are no relays beside the servers.',
    errors: ['not_found'],
  }),
  coordinator: route({
    method: 'GET',
    path: '/debug/coordinator',
    tag: 'Debug',
    id: 'debug-info-wireguard-coordinator',
    summary: 'Debug Info Wireguard Coordinator',
    description: 'There is no coordinator: agents hold a tunnel to a server, and this answers which agents hang on this one.',
    errors: ['not_found'],
  }),
  tailnet: route({
    method: 'GET',
    path: '/debug/tailnet',
    tag: 'Debug',
    id: 'debug-info-tailnet',
    summary: 'Debug Info Tailnet',
    description: 'There is no tailnet: agents hold a tunnel to a server, and this answers how many hang on each.',
    errors: ['not_found'],
  }),
  oidcContext: route({
    method: 'GET',
    path: '/debug/{user}/debug-link',
    tag: 'Agents',
    id: 'debug-oidc-context-for-a-user',
    summary: 'Debug the OpenID Connect claims of a user',
    errors: ['forbidden', 'not_found'],
  }),
};
