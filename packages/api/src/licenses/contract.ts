import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { route } from '../kernel/route.ts';

export const ENTITLEMENTS = ['entitled', 'grace_period', 'not_entitled'] as const;

/** What clients of this interface ask for by name. */
export const FEATURES = [
  'user_limit',
  'audit_log',
  'browser_only',
  'scim',
  'template_rbac',
  'user_role_management',
  'high_availability',
  'multiple_external_auth',
  'external_provisioner_daemons',
  'appearance',
  'advanced_template_scheduling',
  'workspace_proxy',
  'external_token_encryption',
  'workspace_batch_actions',
  'access_control',
  'control_shared_ports',
  'custom_roles',
  'multiple_organizations',
] as const;
export type FeatureName = (typeof FEATURES)[number];

export const Feature = z
  .object({
    entitlement: z.enum(ENTITLEMENTS).meta({ id: 'Entitlement' }),
    enabled: z.boolean(),
    limit: z.int().nullable().meta({ description: 'Null: there is no limit.' }),
    actual: z.int().nullable().meta({ description: 'How much is in use, where that is counted.' }),
  })
  .meta({ id: 'Feature' });
export type Feature = z.output<typeof Feature>;

export const Entitlements = z
  .object({
    features: z.record(z.enum(FEATURES), Feature),
    warnings: z.array(z.string()),
    errors: z.array(z.string()),
    has_license: z.boolean(),
    trial: z.boolean(),
    require_telemetry: z.boolean(),
    refreshed_at: timestamp(),
  })
  .meta({ id: 'Entitlements', description: 'What this deployment may use: everything, since nothing of Berth is sold.' });
export type Entitlements = z.output<typeof Entitlements>;

export const License = z
  .object({ id: z.int(), uuid: uuid(), uploaded_at: timestamp(), claims: z.record(z.string(), z.unknown()) })
  .meta({ id: 'License' });

export const AddLicense = z.object({ license: z.string().min(1).max(65_536) }).meta({ id: 'AddLicenseRequest' });
export const LicensePath = z.object({ id: z.string().min(1).max(20) });
export const Refreshed = Confirmation;

export const routes = {
  entitlements: route({
    method: 'GET',
    path: '/entitlements',
    tag: 'Enterprise',
    id: 'get-entitlements',
    summary: 'What this deployment may use',
  }),
  list: route({ method: 'GET', path: '/licenses', tag: 'Enterprise', id: 'get-licenses', summary: 'List licenses: there are none' }),
  add: route({
    method: 'POST',
    path: '/licenses',
    tag: 'Organizations',
    id: 'add-new-license',
    summary: 'Add a license',
    description: 'Always refused: everything is on for everyone, and a license would change nothing.',
    status: 201,
    errors: ['forbidden'],
  }),
  refresh: route({
    method: 'POST',
    path: '/licenses/refresh-entitlements',
    tag: 'Organizations',
    id: 'update-license-entitlements',
    summary: 'Work out the entitlements anew',
    description: 'They follow from the settings alone and are never stale.',
    status: 201,
    errors: ['forbidden'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/licenses/{id}',
    tag: 'Enterprise',
    id: 'delete-license',
    summary: 'Delete a license',
    description: 'Always not found: there are none.',
    errors: ['forbidden', 'not_found'],
  }),
};
