export interface Person {
  readonly userName: string;
  readonly email: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly externalId: string;
}

export interface ScimRequest {
  readonly method: 'PUT' | 'PATCH';
  readonly body: unknown;
}

/** How one identity provider words its requests, after its public documentation. */
export interface RequestForms {
  /** The query that looks for an account before one is made. */
  readonly find: (person: Person) => string;
  readonly create: (person: Person) => unknown;
  /** Another family name and another address. */
  readonly update: (person: Person) => ScimRequest;
  readonly deactivate: (person: Person) => ScimRequest;
  readonly reactivate: (person: Person) => ScimRequest;
  readonly findGroup: (displayName: string) => string;
  readonly createGroup: (displayName: string) => unknown;
  readonly addMember: (userId: string) => ScimRequest;
  readonly removeMember: (userId: string) => ScimRequest;
  readonly renameGroup: (displayName: string, groupId: string) => ScimRequest;
}

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export const patch = (...operations: object[]): ScimRequest => ({ method: 'PATCH', body: { schemas: [PATCH], Operations: operations } });
export const put = (body: unknown): ScimRequest => ({ method: 'PUT', body });

export const query = (fields: Readonly<Record<string, string>>): string => `?${new URLSearchParams(fields).toString()}`;
