import { Secret, newId } from '@berth/core';
import { uniqueName } from '@berth/testing';
import { expect } from 'vitest';
import type { TestServer } from '../index.ts';
import { createTestServer } from '../index.ts';
import type { Person } from './forms.ts';
import { okta } from './okta.ts';

export const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
export const TOKEN = 'a-scim-token-of-these-tests';

export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: Record<string, never>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ScimServer extends TestServer {
  /** Calls SCIM at the root as the identity provider does. */
  scim(method: Method, path: string, body?: unknown, authorization?: string): Promise<Answer>;
  /** Makes an account, and answers its id. */
  create(person: Person): Promise<string>;
}

/** A server whose settings have a SCIM token, and the provider that knows it. */
export async function createScimServer(): Promise<ScimServer> {
  const server = await createTestServer({ settings: { scimToken: new Secret(TOKEN) } });
  const scim: ScimServer['scim'] = async (method, path, body, authorization = `Bearer ${TOKEN}`) => {
    const response = await server.app.inject({
      method,
      url: `/scim/v2${path}`,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }) },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const type = response.headers['content-type'];
    return {
      status: response.statusCode,
      type: typeof type === 'string' ? type : undefined,
      body: response.body === '' ? {} : response.json(),
    };
  };
  return { ...server, scim, create: async (person) => (await scim('POST', '/Users', okta.create(person))).body['id'] ?? '' };
}

/** Somebody whom no account belongs to yet. */
export function somebody(overrides: Partial<Person> = {}): Person {
  const name = uniqueName('ada');
  return {
    userName: `${name}@example.com`,
    email: `${name}@example.com`,
    givenName: 'Ada',
    familyName: 'Lovelace',
    externalId: newId(),
    ...overrides,
  };
}

/** What a refusal looks like, to compare an answer with. */
export const refusal = (status: number, scimType?: string) => ({
  status,
  type: MEDIA_TYPE,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: expect.stringMatching(/./),
    ...(scimType === undefined ? {} : { scimType }),
  },
});
