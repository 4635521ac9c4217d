import { z } from 'zod';

/** Names of the schemas of RFC 7643 and of the messages of RFC 7644. */
export const SCIM_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const SCIM_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const SCIM_LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const SCIM_PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export const PAGE_MAX = 200;
export const PAGE_STANDARD = 100;
/** Members that one request may name; a provider sends more in several. */
export const MEMBERS_MAX = 1000;
export const OPERATIONS_MAX = 1000;

/** Attributes that are not assigned are absent, as RFC 7643 has it. */
const meta = z.object({
  resourceType: z.string(),
  created: z.string().optional(),
  lastModified: z.string().optional(),
  location: z.string().optional(),
});

export const ScimUser = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: z.string().optional(),
    userName: z.string(),
    name: z.object({ formatted: z.string(), givenName: z.string(), familyName: z.string() }),
    displayName: z.string(),
    active: z.boolean(),
    emails: z.array(z.object({ value: z.string(), type: z.string(), primary: z.boolean(), display: z.string() })),
    groups: z.array(z.object({ value: z.string(), display: z.string(), type: z.string(), $ref: z.string() })),
    meta,
  })
  .meta({ id: 'SCIMUser', description: 'An account as SCIM sees it. `active` is false while it is suspended.' });
export type ScimUser = z.output<typeof ScimUser>;

export const ScimGroup = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: z.string().optional(),
    displayName: z.string(),
    members: z.array(z.object({ value: z.string(), display: z.string(), type: z.string(), $ref: z.string() })),
    meta,
  })
  .meta({ id: 'SCIMGroup', description: 'A group of the default organization that identity providers keep.' });
export type ScimGroup = z.output<typeof ScimGroup>;

const listOf = <T extends z.ZodType>(resource: T, id: string) =>
  z
    .object({
      schemas: z.array(z.string()),
      totalResults: z.int(),
      startIndex: z.int(),
      itemsPerPage: z.int(),
      Resources: z.array(resource),
    })
    .meta({ id });

export const ScimUserPage = listOf(ScimUser, 'SCIMUserList');
export type ScimUserPage = z.output<typeof ScimUserPage>;
export const ScimGroupPage = listOf(ScimGroup, 'SCIMGroupList');
export type ScimGroupPage = z.output<typeof ScimGroupPage>;

/** A whole number from a query, where anything else means the standard. RFC 7644 reads numbers below the least as the least. */
const queryNumber = (least: number, standard: number) =>
  z
    .union([z.string().max(20), z.number()])
    .optional()
    .transform((value) => {
      const number = Number(value ?? standard);
      return Number.isSafeInteger(number) ? Math.max(least, Math.min(number, 2_147_483_647)) : standard;
    });

export const ListScim = z.object({
  filter: z.string().max(1000).optional(),
  startIndex: queryNumber(1, 1),
  count: queryNumber(0, PAGE_STANDARD).transform((count) => Math.min(count, PAGE_MAX)),
  /** Names of attributes to leave out, separated by commas: without `members`, none are read. */
  excludedAttributes: z.string().max(1000).optional(),
});

export const ScimPath = z.object({ id: z.string().max(64) });
export const ScimGroupPath = ScimPath.extend({ excludedAttributes: z.string().max(1000).optional() });

/** A resource or a patch as the provider sends it; read by `read-resource.ts` and `read-patch.ts`, whatever the case of its names. */
export const ScimBody = z.record(z.string().max(256), z.unknown());
export const CreateScim = z.object({ resource: ScimBody });
export const ChangeScim = ScimPath.extend({ resource: ScimBody });

/** A document about the server itself. */
export const ScimDocument = z.record(z.string(), z.unknown());

/** What a provider may send of an account: everything but a name is optional, and what is not kept is passed over. */
export const ScimUserRequest = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: z.string().max(512),
    userName: z.string().max(320),
    name: z.object({ formatted: z.string(), givenName: z.string(), familyName: z.string() }).partial(),
    displayName: z.string(),
    active: z.boolean(),
    emails: z.array(z.object({ value: z.email(), type: z.string(), primary: z.boolean(), display: z.string() }).partial()),
    groups: z.array(z.unknown()),
    meta: z.object({ resourceType: z.string() }).partial(),
  })
  .partial()
  .meta({ id: 'SCIMUserRequest', description: 'An account as a provider sends it.' });

export const ScimGroupRequest = z
  .object({
    schemas: z.array(z.string()),
    externalId: z.string().max(512).optional(),
    displayName: z.string().max(255),
    members: z
      .array(z.object({ value: z.string() }))
      .max(MEMBERS_MAX)
      .optional(),
  })
  .meta({ id: 'SCIMGroupRequest', description: 'A group as a provider sends it.' });

export const ScimPatchRequest = z
  .object({
    schemas: z.array(z.string()),
    Operations: z
      .array(
        z.object({
          op: z.string().meta({ description: 'add, replace or remove, in any case.' }),
          path: z.string().optional(),
          value: z.unknown().optional(),
        }),
      )
      .max(OPERATIONS_MAX),
  })
  .meta({ id: 'SCIMPatchRequest', description: 'Operations of RFC 7644, section 3.5.2.' });

export const ScimErrorBody = z
  .object({ schemas: z.array(z.string()), status: z.string(), scimType: z.string().optional(), detail: z.string() })
  .meta({ id: 'SCIMError', description: 'Why a SCIM request was refused.' });
