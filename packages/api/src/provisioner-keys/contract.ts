import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { nameField } from '../kernel/name-field.ts';
import { route } from '../kernel/route.ts';
import { organizationParam } from '../organizations/contract.ts';
import { ProvisionerDaemon } from '../provisioner-daemons/contract.ts';

export const ProvisionerKey = z
  .object({
    id: uuid(),
    created_at: timestamp(),
    organization: uuid(),
    name: z.string(),
    tags: z.record(z.string(), z.string()).meta({ id: 'ProvisionerKeyTags' }),
  })
  .meta({ id: 'ProvisionerKey', description: 'What lets daemons on other hosts work for an organization.' });
export type ProvisionerKey = z.output<typeof ProvisionerKey>;
export const ProvisionerKeyList = z.array(ProvisionerKey);

export const ProvisionerKeyDaemons = z
  .object({ key: ProvisionerKey, daemons: z.array(ProvisionerDaemon) })
  .meta({ id: 'ProvisionerKeyDaemons', description: 'A key and the daemons that came with it and are there now.' });
export type ProvisionerKeyDaemons = z.output<typeof ProvisionerKeyDaemons>;
export const ProvisionerKeyDaemonsList = z.array(ProvisionerKeyDaemons);

export const CreateProvisionerKeyRequest = z
  .object({
    name: nameField('provisioner_key_name'),
    tags: z
      .record(z.string().min(1).max(128), z.string().max(256))
      .refine((tags) => Object.keys(tags).length <= 32, 'must have at most 32 tags')
      .optional()
      .meta({ description: 'What daemons with this key are for; they cannot say otherwise.' }),
  })
  .meta({ id: 'CreateProvisionerKeyRequest' });
export const CreateProvisionerKeyInput = CreateProvisionerKeyRequest.extend({ organization: organizationParam() });
export type CreateProvisionerKeyInput = z.output<typeof CreateProvisionerKeyInput>;
export const CreateProvisionerKeyOutput = z
  .object({ key: z.string().meta({ description: 'Shown this once.' }) })
  .meta({ id: 'CreateProvisionerKeyResponse' });

export const ListProvisionerKeysInput = z.object({ organization: organizationParam() });
export type ListProvisionerKeysInput = z.output<typeof ListProvisionerKeysInput>;

export const ProvisionerKeyInput = z.object({
  organization: organizationParam(),
  provisionerkey: z.string().min(1).max(64).meta({ description: 'The name of the key, in any case.' }),
});
export type ProvisionerKeyInput = z.output<typeof ProvisionerKeyInput>;

export const OwnProvisionerKeyInput = z.object({
  provisionerkey: z.string().min(1).max(64).meta({ description: 'The key that the header carries: itself, its id or its name.' }),
});
export type OwnProvisionerKeyInput = z.output<typeof OwnProvisionerKeyInput>;

const tag = 'Enterprise';

export const routes = {
  list: route({
    method: 'GET',
    path: '/organizations/{organization}/provisionerkeys',
    tag,
    id: 'list-provisioner-key',
    summary: 'List provisioner key',
    description: 'Oldest first. Never the keys themselves.',
    errors: ['not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/organizations/{organization}/provisionerkeys',
    tag,
    id: 'create-provisioner-key',
    summary: 'Create provisioner key',
    status: 201,
    errors: ['forbidden', 'not_found', 'conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/organizations/{organization}/provisionerkeys/{provisionerkey}',
    tag,
    id: 'delete-provisioner-key',
    summary: 'Delete provisioner key',
    description: 'Daemons with this key can do nothing more; what they work on is queued again.',
    status: 204,
    errors: ['forbidden', 'not_found'],
  }),
  listDaemons: route({
    method: 'GET',
    path: '/organizations/{organization}/provisionerkeys/daemons',
    tag,
    id: 'list-provisioner-key-daemons',
    summary: 'List provisioner key daemons',
    errors: ['not_found'],
  }),
  getOwn: route({
    method: 'GET',
    path: '/provisionerkeys/{provisionerkey}',
    tag,
    id: 'fetch-provisioner-key-details',
    summary: 'Fetch provisioner key details',
    description: 'For whoever sends the key in the header Service-Provisioner-Key.',
    errors: ['not_found'],
  }),
};
