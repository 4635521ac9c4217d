import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { createAppSecret, deleteAppSecret, listAppSecrets } from './app-secrets.ts';
import { createApp, deleteApp, getApp, listApps, updateApp } from './apps.ts';
import {
  CreateOAuth2App,
  ListOAuth2Apps,
  OAuth2AppPath,
  OAuth2AppSecretPath,
  OAuth2ProviderApp,
  OAuth2ProviderAppSecret,
  OAuth2ProviderAppSecretFull,
  routes,
  UpdateOAuth2App,
} from './contract.ts';

export const oauth2AppsRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'oauth2_app:read' })
    .input(ListOAuth2Apps)
    .output(z.array(OAuth2ProviderApp))
    .query(({ ctx, input }) => listApps(ctx, input)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'oauth2_app:create', audit: { resource: 'oauth2_provider_app', action: 'create' } })
    .input(CreateOAuth2App)
    .output(OAuth2ProviderApp)
    .mutation(({ ctx, input }) => createApp(ctx, input)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'oauth2_app:read' })
    .input(OAuth2AppPath)
    .output(OAuth2ProviderApp)
    .query(({ ctx, input }) => getApp(ctx, input)),

  update: userProcedure
    .meta({ ...routes.update, permission: 'oauth2_app:update', audit: { resource: 'oauth2_provider_app', action: 'write' } })
    .input(UpdateOAuth2App)
    .output(OAuth2ProviderApp)
    .mutation(({ ctx, input }) => updateApp(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'oauth2_app:delete', audit: { resource: 'oauth2_provider_app', action: 'delete' } })
    .input(OAuth2AppPath)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteApp(ctx, input)),

  listSecrets: userProcedure
    .meta({ ...routes.listSecrets, permission: 'oauth2_app_secret:read' })
    .input(OAuth2AppPath)
    .output(z.array(OAuth2ProviderAppSecret))
    .query(({ ctx, input }) => listAppSecrets(ctx, input)),

  createSecret: userProcedure
    .meta({
      ...routes.createSecret,
      permission: 'oauth2_app_secret:create',
      audit: { resource: 'oauth2_provider_app_secret', action: 'create' },
    })
    .input(OAuth2AppPath)
    .output(z.array(OAuth2ProviderAppSecretFull))
    .mutation(({ ctx, input }) => createAppSecret(ctx, input)),

  deleteSecret: userProcedure
    .meta({
      ...routes.deleteSecret,
      permission: 'oauth2_app_secret:delete',
      audit: { resource: 'oauth2_provider_app_secret', action: 'delete' },
    })
    .input(OAuth2AppSecretPath)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteAppSecret(ctx, input)),
});
