import { notFound } from '@berth/core';
import type { Settings } from '../kernel/context.ts';
import { PAGE_MAX, SCIM_GROUP, SCIM_LIST, SCIM_USER } from './contract.ts';

type Document = Record<string, unknown>;

/** What this server can do of RFC 7644. */
export function serviceProviderConfig({ accessUrl }: Settings): Document {
  const no = { supported: false };
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: PAGE_MAX },
    changePassword: no,
    sort: no,
    etag: no,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token of the setting BERTH_SCIM_TOKEN in the Authorization header.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${accessUrl}/scim/v2/ServiceProviderConfig` },
  };
}

interface Attribute {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly description: string;
  readonly required?: true;
  readonly multiValued?: true;
  readonly caseExact?: true;
  readonly readOnly?: true;
  readonly unique?: true;
  readonly subAttributes?: readonly Document[];
}

function attribute(name: string, facts: Attribute): Document {
  const { type = 'string', description, required = false, multiValued = false, caseExact = false, subAttributes } = facts;
  return {
    name,
    type,
    multiValued,
    description,
    required,
    caseExact,
    mutability: facts.readOnly === true ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: facts.unique === true ? 'server' : 'none',
    ...(subAttributes === undefined ? {} : { subAttributes }),
  };
}

const reference = (description: string): Document[] => [
  attribute('value', { description: `The id of ${description}.`, caseExact: true }),
  attribute('display', { description: `What ${description} is called.`, readOnly: true }),
  attribute('type', { description: 'What it is.', readOnly: true }),
  attribute('$ref', { type: 'reference', description: 'Its address.', readOnly: true, caseExact: true }),
];

const externalId = attribute('externalId', { description: 'The id that the provider has for it.', caseExact: true, unique: true });

const SCHEMAS: readonly {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Document[];
}[] = [
  {
    id: SCIM_USER,
    name: 'User',
    description: 'An account',
    attributes: [
      attribute('userName', { description: 'The name that the provider has for the account.', required: true, unique: true }),
      externalId,
      attribute('name', {
        type: 'complex',
        description: 'What the person is called; kept as one text.',
        subAttributes: [
          attribute('formatted', { description: 'The whole name.' }),
          attribute('givenName', { description: 'All but the last word.' }),
          attribute('familyName', { description: 'The last word.' }),
        ],
      }),
      attribute('displayName', { description: 'The whole name.' }),
      attribute('active', { type: 'boolean', description: 'False while the account is suspended.' }),
      attribute('emails', {
        type: 'complex',
        multiValued: true,
        description: 'One address, of the type work and primary.',
        subAttributes: [
          attribute('value', { description: 'The address.', unique: true }),
          attribute('display', { description: 'The address.', readOnly: true }),
          attribute('type', { description: 'Always work.' }),
          attribute('primary', { type: 'boolean', description: 'Always true.' }),
        ],
      }),
      attribute('groups', {
        type: 'complex',
        multiValued: true,
        readOnly: true,
        description: 'The groups of the account.',
        subAttributes: reference('the group'),
      }),
    ],
  },
  {
    id: SCIM_GROUP,
    name: 'Group',
    description: 'A group of the default organization',
    attributes: [
      attribute('displayName', { description: 'What the group is called.', required: true, unique: true }),
      externalId,
      attribute('members', { type: 'complex', multiValued: true, description: 'Its members.', subAttributes: reference('the user') }),
    ],
  },
];

export function schemaDocuments({ accessUrl }: Settings): Document[] {
  return SCHEMAS.map((schema) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...schema,
    meta: { resourceType: 'Schema', location: `${accessUrl}/scim/v2/Schemas/${schema.id}` },
  }));
}

export function resourceTypeDocuments({ accessUrl }: Settings): Document[] {
  return SCHEMAS.map(({ id, name, description }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    description,
    endpoint: `/${name}s`,
    schema: id,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${accessUrl}/scim/v2/ResourceTypes/${name}` },
  }));
}

/** All documents as one page. */
export function documentList(documents: readonly Document[]): Document {
  return { schemas: [SCIM_LIST], totalResults: documents.length, startIndex: 1, itemsPerPage: documents.length, Resources: documents };
}

export function documentWith(documents: readonly Document[], id: string): Document {
  const found = documents.find((document) => String(document['id']).toLowerCase() === id.toLowerCase());
  if (found === undefined) throw notFound();
  return found;
}
