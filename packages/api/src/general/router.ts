import { z } from 'zod';
import { confirmed } from '../kernel/confirmation.ts';
import { publicProcedure, userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { ApiRoot, CspViolation, Experiments, SSHConfig, UpdateCheck, routes } from './contract.ts';
import { reportCsp } from './report-csp.ts';

/** As the command line writes it. */
const SSH_HOST_PREFIX = 'berth.';

const Nothing = z.object({});

export const generalRouter = t.router({
  root: publicProcedure
    .meta({ ...routes.root, permission: 'public' })
    .input(Nothing)
    .output(ApiRoot)
    .query(() => confirmed('This is the API of Berth.')),

  ssh: userProcedure
    .meta({ ...routes.ssh, permission: 'signed-in' })
    .input(Nothing)
    .output(SSHConfig)
    .query(() => ({ hostname_prefix: SSH_HOST_PREFIX, ssh_config_options: {} })),

  experiments: userProcedure
    .meta({ ...routes.experiments, permission: 'signed-in' })
    .input(Nothing)
    .output(Experiments)
    .query(() => []),

  safeExperiments: userProcedure
    .meta({ ...routes.safeExperiments, permission: 'signed-in' })
    .input(Nothing)
    .output(Experiments)
    .query(() => []),

  updateCheck: publicProcedure
    .meta({ ...routes.updateCheck, permission: 'public' })
    .input(Nothing)
    .output(UpdateCheck)
    .query(({ ctx }) => ({ current: true, version: ctx.services.settings.version, url: '' })),

  reportCsp: publicProcedure
    .meta({ ...routes.reportCsp, permission: 'public', audit: { none: 'A browser tells; nothing changes.' } })
    .input(CspViolation)
    .output(Nothing)
    .mutation(({ ctx, input }) => reportCsp(ctx, input)),
});
