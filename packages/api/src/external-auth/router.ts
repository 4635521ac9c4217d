import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import {
  BeginExternalAuth,
  CompleteExternalAuth,
  CompleteExternalAuthDevice,
  ExternalAuth,
  ExternalAuthAddress,
  ExternalAuthCompleted,
  ExternalAuthDevice,
  ExternalAuthLinks,
  ExternalAuthPath,
  ExternalAuthSetup,
  routes,
} from './contract.ts';
import { beginDeviceLink, beginLink, completeDeviceLink, completeLink } from './link-account.ts';
import { getLink, listLinks } from './read-links.ts';
import { readSetup } from './read-setup.ts';
import { unlink } from './unlink.ts';

export const externalAuthRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'user:read_personal' })
    .input(z.object({}))
    .output(ExternalAuthLinks)
    .query(({ ctx }) => listLinks(ctx)),

  /** How the services are set up, and how much they are used. */
  setup: userProcedure
    .meta({ permission: 'deployment_config:read' })
    .input(z.object({}))
    .output(z.array(ExternalAuthSetup))
    .query(({ ctx }) => readSetup(ctx)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'user:read_personal' })
    .input(ExternalAuthPath)
    .output(ExternalAuth)
    .query(({ ctx, input }) => getLink(ctx, input)),

  unlink: userProcedure
    .meta({
      ...routes.unlink,
      permission: 'user:update_personal',
      audit: { resource: 'external_auth_link', action: 'delete' },
      untransacted: 'the service revokes the tokens once the link is gone',
    })
    .input(ExternalAuthPath)
    .output(z.literal('OK'))
    .mutation(({ ctx, input }) => unlink(ctx, input)),

  begin: userProcedure
    .meta({ permission: 'user:update_personal', audit: { none: 'nothing changes here until the service answers' } })
    .input(BeginExternalAuth)
    .output(ExternalAuthAddress)
    .mutation(({ ctx, input }) => beginLink(ctx, input)),

  complete: userProcedure
    .meta({
      permission: 'user:update_personal',
      audit: { resource: 'external_auth_link', action: 'create' },
      untransacted: 'the service trades the code first',
    })
    .input(CompleteExternalAuth)
    .output(ExternalAuthCompleted)
    .mutation(({ ctx, input }) => completeLink(ctx, input)),

  beginDevice: userProcedure
    .meta({ ...routes.beginDevice, permission: 'user:update_personal' })
    .input(ExternalAuthPath)
    .output(ExternalAuthDevice)
    .query(({ ctx, input }) => beginDeviceLink(ctx, input)),

  completeDevice: userProcedure
    .meta({
      ...routes.completeDevice,
      permission: 'user:update_personal',
      audit: { resource: 'external_auth_link', action: 'create' },
      untransacted: 'the service trades the code first',
    })
    .input(CompleteExternalAuthDevice)
    .output(z.void())
    .mutation(({ ctx, input }) => completeDeviceLink(ctx, input)),
});
