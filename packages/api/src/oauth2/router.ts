import { z } from 'zod';
import { publicProcedure, userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { approveAuthorization, readAuthorization } from './authorize.ts';
import {
  ApproveAuthorization,
  ApproveDevice,
  Authorization,
  AuthorizationAnswer,
  AuthorizationRequest,
  BeginDevice,
  BeginDeviceAnswer,
  Device,
  DeviceDecision,
  Grant,
  IntrospectAnswer,
  RevokeAnswer,
  RevokeApp,
  TokenAnswer,
  TokenOfClient,
  TokenRequest,
  UserCode,
  routes,
} from './contract.ts';
import { approveDevice, beginDevice, readDevice } from './device.ts';
import { listGrants, revokeApp } from './grants.ts';
import { introspectToken } from './introspect.ts';
import { revokeToken } from './revoke.ts';
import { exchangeToken } from './token.ts';

const created = { resource: 'oauth2_provider_app_token', action: 'create' } as const;
const deleted = { resource: 'oauth2_provider_app_token', action: 'delete' } as const;

/** The OAuth2 provider. What the protocol wants as forms, redirects or other bodies, `packages/rest` mounts over these. */
export const oauth2Router = t.router({
  authorization: userProcedure
    .meta({ permission: 'oauth2_app_code_token:create' })
    .input(AuthorizationRequest)
    .output(Authorization)
    .query(({ ctx, input }) => readAuthorization(ctx, input)),

  approve: userProcedure
    .meta({ permission: 'oauth2_app_code_token:create', audit: created })
    .input(ApproveAuthorization)
    .output(AuthorizationAnswer)
    .mutation(({ ctx, input }) => approveAuthorization(ctx, input)),

  token: publicProcedure
    .meta({ permission: 'public', audit: created })
    .input(TokenRequest)
    .output(TokenAnswer)
    .mutation(({ ctx, input }) => exchangeToken(ctx, input)),

  revoke: publicProcedure
    .meta({ permission: 'public', audit: deleted })
    .input(TokenOfClient)
    .output(RevokeAnswer)
    .mutation(({ ctx, input }) => revokeToken(ctx, input)),

  introspect: publicProcedure
    .meta({ permission: 'public', audit: { none: 'it only reads; a token does not belong into an address, so it is no query' } })
    .input(TokenOfClient)
    .output(IntrospectAnswer)
    .mutation(({ ctx, input }) => introspectToken(ctx, input)),

  beginDevice: publicProcedure
    .meta({ permission: 'public', audit: { none: 'nothing is given yet: the approval of a person is recorded' } })
    .input(BeginDevice)
    .output(BeginDeviceAnswer)
    .mutation(({ ctx, input }) => beginDevice(ctx, input)),

  device: userProcedure
    .meta({ permission: 'oauth2_app_code_token:create' })
    .input(UserCode)
    .output(Device)
    .query(({ ctx, input }) => readDevice(ctx, input)),

  approveDevice: userProcedure
    .meta({ permission: 'oauth2_app_code_token:create', audit: created })
    .input(ApproveDevice)
    .output(DeviceDecision)
    .mutation(({ ctx, input }) => approveDevice(ctx, input)),

  grants: userProcedure
    .meta({ ...routes.grants, permission: 'oauth2_app_code_token:read' })
    .input(z.object({}))
    .output(z.array(Grant))
    .query(({ ctx }) => listGrants(ctx)),

  revokeApp: userProcedure
    .meta({ ...routes.revokeApp, permission: 'oauth2_app_code_token:delete', audit: deleted })
    .input(RevokeApp)
    .output(z.void())
    .mutation(({ ctx, input }) => revokeApp(ctx, input)),
});
