import { ErrorBody } from '@berth/core';
import { given } from '@berth/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestServer } from '../index.ts';
import { CALLBACK, CHALLENGE, oauth2Client } from '../oauth2-client.ts';
import { FUZZ } from './env.ts';
import { hostileText } from './garbage.ts';

/** What OAuth2 clients and browsers send as forms and queries, hostile. */
const server = await createTestServer();
const client = await oauth2Client(server).register();
const key = await server.keyOf((await given(server.prisma).user()).id);
const RUNS = { seed: FUZZ.seed, numRuns: FUZZ.runs };
const Refusal = z.strictObject({ error: z.string().min(1), error_description: z.string().min(1) });

const good: Readonly<Record<string, string>> = {
  client_id: client.id,
  client_secret: client.secret,
  grant_type: 'authorization_code',
  code: `berth_${'0'.repeat(10)}_${'0'.repeat(40)}`,
  refresh_token: `berth_${'0'.repeat(10)}_${'0'.repeat(40)}`,
  device_code: `berth_${'0'.repeat(10)}_${'0'.repeat(40)}`,
  token: `${'0'.repeat(10)}-${'0'.repeat(22)}`,
  redirect_uri: CALLBACK,
  response_type: 'code',
  state: 'x',
  scope: 'read_only',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};
const names = fc.oneof(fc.constantFrom(...Object.keys(good)), fc.constantFrom('__proto__', 'constructor', '', 'approve'), hostileText);
const grantTypes = fc.constantFrom('authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code', 'x');
/** A form that was right, and then some fields of it were not. */
const forms = fc
  .tuple(
    fc.subarray(Object.keys(good)),
    fc.array(fc.tuple(names, fc.oneof(hostileText, fc.constantFrom(...Object.values(good)))), { maxLength: 3 }),
    grantTypes,
  )
  .map(([kept, hostile, grantType]) => {
    const form = new URLSearchParams(kept.map((name): [string, string] => [name, name === 'grant_type' ? grantType : (good[name] ?? '')]));
    for (const [name, value] of hostile) form.append(name.toWellFormed(), value.toWellFormed());
    return form.toString();
  });
const bodies = fc.oneof(
  forms,
  hostileText.map((text) => text.toWellFormed()),
  fc.constantFrom('%', '&&==', '=&=', 'a=%ff%fe&b=%00'),
);
const types = fc.constantFrom(
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-8',
  'application/json',
  'x',
);
const authorizations = fc.oneof(
  fc.constant(undefined),
  fc.constant(`Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`),
  fc.constantFrom('Basic', 'Basic %', 'Basic JSUlOiUlJQ==', 'Bearer x', 'Bearer'),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => `Basic ${Buffer.from(bytes).toString('base64')}`),
);

describe('the forms of the OAuth2 provider', () => {
  it.each(['tokens', 'device', 'revoke', 'introspect'])('refuse in the protocol’s own form, or work: %s', async (endpoint) => {
    await fc.assert(
      fc.asyncProperty(bodies, types, authorizations, async (payload, type, authorization) => {
        const response = await server.app.inject({
          method: 'POST',
          url: `/oauth2/${endpoint}`,
          headers: { 'content-type': type, ...(authorization === undefined ? {} : { authorization }) },
          payload,
        });
        expect([200, 400, 401], response.body).toContain(response.statusCode);
        if (response.statusCode !== 200) Refusal.parse(response.json());
        expect(response.headers['cache-control']).toBe('no-store');
      }),
      RUNS,
    );
  });

  it('lead a browser nowhere but to the application', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, forms, types, async (payload, query, type) => {
        const response = await server.app.inject({
          method: 'POST',
          url: `/api/v2/oauth2/authorize?${query}`,
          headers: { 'content-type': type, 'service-session-token': key },
          payload,
        });
        expect([302, 400], response.body).toContain(response.statusCode);
        if (response.statusCode === 302) expect(String(response.headers['location'])).toMatch(/^https:\/\/app\.example\.com\/callback\?/);
        else ErrorBody.parse(response.json());
      }),
      RUNS,
    );
  });
});
