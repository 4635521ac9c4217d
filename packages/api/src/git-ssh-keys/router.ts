import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { GitSshKey, GitSshKeyPath, routes } from './contract.ts';
import { getKey, regenerateKey } from './keys.ts';

export const gitSshKeysRouter = t.router({
  get: userProcedure
    .meta({ ...routes.get, permission: 'user:read_personal' })
    .input(GitSshKeyPath)
    .output(GitSshKey)
    .query(({ ctx, input }) => getKey(ctx, input)),

  regenerate: userProcedure
    .meta({ ...routes.regenerate, permission: 'user:update_personal', audit: { resource: 'git_ssh_key', action: 'write' } })
    .input(GitSshKeyPath)
    .output(GitSshKey)
    .mutation(({ ctx, input }) => regenerateKey(ctx, input)),
});
