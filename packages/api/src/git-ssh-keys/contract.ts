import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { UserPath } from '../users/contract.ts';

export const GitSshKey = z
  .object({
    user_id: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
    public_key: z.string().meta({ description: 'In the form of an authorized_keys line.' }),
  })
  .meta({ id: 'GitSSHKey', description: 'The public half of the key that a user’s workspaces show to git hosts.' });
export type GitSshKey = z.output<typeof GitSshKey>;

export const AgentGitSshKey = z
  .object({ public_key: z.string(), private_key: z.string() })
  .meta({ id: 'AgentGitSSHKey', description: 'The key of the workspace’s owner, in OpenSSH’s forms.' });
export type AgentGitSshKey = z.output<typeof AgentGitSshKey>;

export const GitSshKeyPath = UserPath;

export const routes = {
  get: route({
    method: 'GET',
    path: '/users/{user}/gitsshkey',
    tag: 'Users',
    id: 'get-user-git-ssh-key',
    summary: 'Get a user’s git SSH key',
    description: 'Made when it is first asked for.',
    errors: ['not_found'],
  }),
  regenerate: route({
    method: 'PUT',
    path: '/users/{user}/gitsshkey',
    tag: 'Users',
    id: 'regenerate-user-ssh-key',
    summary: 'Replace a user’s git SSH key',
    description: 'Git hosts that know the old public key have to be told the new one.',
    errors: ['forbidden', 'not_found'],
  }),
  forAgent: route({
    method: 'GET',
    path: '/workspaceagents/me/gitsshkey',
    tag: 'Agents',
    id: 'get-workspace-agent-git-ssh-key',
    summary: 'Get the git SSH key of the workspace’s owner',
    errors: ['unavailable'],
  }),
};
