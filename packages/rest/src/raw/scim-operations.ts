import {
  PAGE_MAX,
  PAGE_STANDARD,
  ScimErrorBody,
  ScimGroup,
  ScimGroupPage,
  ScimGroupRequest,
  ScimPatchRequest,
  ScimUser,
  ScimUserPage,
  ScimUserRequest,
} from '@berth/api/contract/scim';
import type { RawOperation } from './operations.ts';

/** The schemas that only the SCIM routes name. */
export const scimSchemas = [
  ScimUser,
  ScimGroup,
  ScimUserPage,
  ScimGroupPage,
  ScimUserRequest,
  ScimGroupRequest,
  ScimPatchRequest,
  ScimErrorBody,
] as const;

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const answer = (description: string, schema: object): object => ({ description, content: { 'application/scim+json': { schema } } });
const body = (...names: string[]): object => {
  const schema = names.length === 1 ? ref(names[0] ?? '') : { anyOf: names.map(ref) };
  return { required: true, content: { 'application/scim+json': { schema }, 'application/json': { schema } } };
};
const ANY_DOCUMENT = { type: 'object', additionalProperties: true };

const REFUSALS = {
  400: 'The request breaks a rule; `scimType` says which.',
  401: 'The token is missing or wrong.',
  404: 'There is no such resource, or SCIM is not switched on.',
  409: 'Another resource has this name, address or external id, or it is the last owner.',
  413: 'More than one request may hold.',
  429: 'Too many requests.',
} as const;

const refusals = (...statuses: (keyof typeof REFUSALS)[]): Record<string, object> =>
  Object.fromEntries(statuses.map((status) => [String(status), answer(REFUSALS[status], ref('SCIMError'))]));

const query = (name: string, schema: object, description: string): object => ({ in: 'query', name, schema, description });
const listParameters = [
  query('filter', { type: 'string', maxLength: 1000 }, 'A filter of RFC 7644, section 3.4.2.2.'),
  query('startIndex', { type: 'integer', default: 1 }, 'The first resource, counted from 1.'),
  query('count', { type: 'integer', default: PAGE_STANDARD, maximum: PAGE_MAX }, `Resources at most; ${PAGE_MAX} at the most.`),
];
const projection = [
  query('attributes', { type: 'string', maxLength: 1000 }, 'Only these attributes, separated by commas.'),
  query('excludedAttributes', { type: 'string', maxLength: 1000 }, 'All but these attributes, separated by commas.'),
];
const id = { in: 'path', name: 'id', required: true, schema: { type: 'string', format: 'uuid' } };

const common: Pick<RawOperation, 'tag' | 'errors' | 'security'> = { tag: 'Enterprise', errors: [], security: [{ scim: [] }] };
const done = { '204': { description: 'Done.' } };

/** The SCIM routes, which stand under `/api/v2` and at the root alike. */
export const scimOperations: readonly RawOperation[] = [
  {
    ...common,
    method: 'get',
    path: '/scim/v2/ServiceProviderConfig',
    id: 'scim-get-service-provider-config',
    summary: 'SCIM 2.0: what this server can do',
    parameters: [],
    responses: { '200': answer('The configuration.', ANY_DOCUMENT), ...refusals(404, 429) },
    security: [],
  },
  ...(['Schemas', 'ResourceTypes'] as const).flatMap((name): RawOperation[] => [
    {
      ...common,
      method: 'get',
      path: `/scim/v2/${name}`,
      id: `scim-get-${name.toLowerCase()}`,
      summary: `SCIM 2.0: list the ${name === 'Schemas' ? 'schemas' : 'resource types'}`,
      parameters: [],
      responses: { '200': answer('All of them.', ANY_DOCUMENT), ...refusals(401, 404, 429) },
    },
    {
      ...common,
      method: 'get',
      path: `/scim/v2/${name}/{id}`,
      id: `scim-get-${name.toLowerCase()}-by-id`,
      summary: `SCIM 2.0: get a ${name === 'Schemas' ? 'schema' : 'resource type'}`,
      parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }],
      responses: { '200': answer('The document.', ANY_DOCUMENT), ...refusals(401, 404, 429) },
    },
  ]),
  {
    ...common,
    method: 'get',
    path: '/scim/v2/Users',
    id: 'scim-get-users',
    summary: 'SCIM 2.0: list users',
    description: 'All living accounts, oldest first. An account that no provider has claimed has its e-mail address as `userName`.',
    parameters: [...listParameters, ...projection],
    responses: { '200': answer('A page.', ref('SCIMUserList')), ...refusals(400, 401, 404, 429) },
  },
  {
    ...common,
    method: 'post',
    path: '/scim/v2/Users',
    id: 'scim-create-new-user',
    summary: 'SCIM 2.0: create a user',
    description:
      'An account that has this external id, user name or e-mail address already is taken over, and let in again if it was suspended.',
    parameters: [],
    requestBody: body('SCIMUserRequest'),
    responses: { '200': answer('The account, new or taken over.', ref('SCIMUser')), ...refusals(400, 401, 404, 409, 413, 429) },
  },
  {
    ...common,
    method: 'get',
    path: '/scim/v2/Users/{id}',
    id: 'scim-get-user-by-id',
    summary: 'SCIM 2.0: get a user',
    parameters: [id, ...projection],
    responses: { '200': answer('The account.', ref('SCIMUser')), ...refusals(401, 404, 429) },
  },
  {
    ...common,
    method: 'put',
    path: '/scim/v2/Users/{id}',
    id: 'scim-replace-user',
    summary: 'SCIM 2.0: replace a user',
    parameters: [id],
    requestBody: body('SCIMUserRequest'),
    responses: { '200': answer('The account afterwards.', ref('SCIMUser')), ...refusals(400, 401, 404, 409, 413, 429) },
  },
  {
    ...common,
    method: 'patch',
    path: '/scim/v2/Users/{id}',
    id: 'scim-update-user-status',
    summary: 'SCIM 2.0: change a user',
    description:
      'Takes the operations of RFC 7644, or a plain user of which `active` alone counts. The plain form answers the account as `GET /users` shows it, with the SCIM attributes beside.',
    parameters: [id],
    requestBody: body('SCIMUserRequest', 'SCIMPatchRequest'),
    responses: {
      '200': answer('The account afterwards.', { anyOf: [ref('SCIMUser'), ref('User')] }),
      ...refusals(400, 401, 404, 409, 413, 429),
    },
  },
  {
    ...common,
    method: 'delete',
    path: '/scim/v2/Users/{id}',
    id: 'scim-delete-user',
    summary: 'SCIM 2.0: suspend a user for good',
    description: 'Suspends the account and forgets its external id. What it owns stays, and `POST` finds it again by its address.',
    parameters: [id],
    responses: { ...done, ...refusals(401, 404, 409, 429) },
  },
  {
    ...common,
    method: 'get',
    path: '/scim/v2/Groups',
    id: 'scim-get-groups',
    summary: 'SCIM 2.0: list groups',
    description: 'The groups of the default organization that identity providers keep, oldest first.',
    parameters: [...listParameters, ...projection],
    responses: { '200': answer('A page.', ref('SCIMGroupList')), ...refusals(400, 401, 404, 429) },
  },
  {
    ...common,
    method: 'post',
    path: '/scim/v2/Groups',
    id: 'scim-create-group',
    summary: 'SCIM 2.0: create a group',
    parameters: [],
    requestBody: body('SCIMGroupRequest'),
    responses: { '201': answer('The group.', ref('SCIMGroup')), ...refusals(400, 401, 404, 409, 413, 429) },
  },
  {
    ...common,
    method: 'get',
    path: '/scim/v2/Groups/{id}',
    id: 'scim-get-group-by-id',
    summary: 'SCIM 2.0: get a group',
    parameters: [id, ...projection],
    responses: { '200': answer('The group.', ref('SCIMGroup')), ...refusals(401, 404, 429) },
  },
  {
    ...common,
    method: 'put',
    path: '/scim/v2/Groups/{id}',
    id: 'scim-replace-group',
    summary: 'SCIM 2.0: replace a group',
    parameters: [id],
    requestBody: body('SCIMGroupRequest'),
    responses: { '200': answer('The group afterwards.', ref('SCIMGroup')), ...refusals(400, 401, 404, 409, 413, 429) },
  },
  {
    ...common,
    method: 'patch',
    path: '/scim/v2/Groups/{id}',
    id: 'scim-update-group',
    summary: 'SCIM 2.0: change a group',
    parameters: [id],
    requestBody: body('SCIMPatchRequest'),
    responses: { '200': answer('The group afterwards.', ref('SCIMGroup')), ...refusals(400, 401, 404, 409, 413, 429) },
  },
  {
    ...common,
    method: 'delete',
    path: '/scim/v2/Groups/{id}',
    id: 'scim-delete-group',
    summary: 'SCIM 2.0: delete a group',
    parameters: [id],
    responses: { ...done, ...refusals(401, 404, 429) },
  },
];
