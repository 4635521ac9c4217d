import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { route } from '../kernel/route.ts';

const user = z.string().min(1).max(64).meta({ description: 'A user id, a user name, or `me`.' });

export const UserIdentity = z
  .object({
    id: uuid(),
    user_id: uuid(),
    provider_id: z.string(),
    provider_display_name: z.string().meta({ description: 'Empty when the provider is no longer configured.' }),
    kind: z.enum(['oidc', 'codehost']),
    issuer: z.string(),
    subject: z.string().meta({ description: 'The account’s name at the issuer, which never changes.' }),
    created_at: timestamp(),
    updated_at: timestamp().meta({ description: 'The last sign-in with it.' }),
  })
  .meta({ id: 'UserIdentity', description: 'An account at a provider that signs in as this user.' });
export type UserIdentity = z.output<typeof UserIdentity>;

export const ListIdentities = z.object({ user });
export const IdentityList = z.array(UserIdentity);
export const UnlinkIdentity = z.object({ user, identity: uuid() });
export const UnlinkedIdentity = Confirmation;

export const routes = {
  list: route({
    method: 'GET',
    path: '/users/{user}/identities',
    tag: 'Users',
    id: 'list-user-identities',
    summary: 'List the linked accounts of a user',
    errors: ['forbidden', 'not_found'],
  }),
  unlink: route({
    method: 'DELETE',
    path: '/users/{user}/identities/{identity}',
    tag: 'Users',
    id: 'unlink-user-identity',
    summary: 'Remove a linked account',
    description: 'Ends the sessions that were opened with it. Nobody removes their own last way to sign in; an administrator may.',
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
};
