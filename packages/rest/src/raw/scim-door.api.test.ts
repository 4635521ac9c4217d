import { newId } from '@berth/core';
import { procedureFacts } from '@berth/api/server';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { createFixture } from '../testing/matrix/fixture.ts';
import { PRINCIPALS, credentialsFor } from '../testing/matrix/principals.ts';
import { createScimServer, MEDIA_TYPE, refusal, TOKEN } from '../testing/scim/client.ts';

const server = await createScimServer();
const { app, keyOf, prisma, scim } = server;
const rows = given(prisma);

describe('the door', () => {
  it('is not there without a token in the settings, as JSON', async () => {
    const off = await createTestServer();
    for (const url of ['/scim/v2/ServiceProviderConfig', '/scim/v2/Users', '/api/v2/scim/v2/Users']) {
      const response = await off.app.inject({ method: 'GET', url, headers: { authorization: 'Bearer ' } });
      expect([response.statusCode, response.headers['content-type']]).toEqual([404, MEDIA_TYPE]);
    }
  });

  it('asks every address but the configuration for the token, and takes no other', async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer wrong',
      `Basic ${TOKEN}`,
      `${TOKEN}x`,
      await keyOf((await rows.user({ siteRoles: ['owner'] })).id),
    ]) {
      for (const path of ['/Users', '/Groups', '/Schemas', '/ResourceTypes', `/Users/${newId()}`]) {
        expect(await scim('GET', path, undefined, authorization), `${authorization} ${path}`).toMatchObject(refusal(401));
      }
    }
    expect(await scim('GET', '/ServiceProviderConfig', undefined, '')).toMatchObject({
      status: 200,
      body: { patch: { supported: true }, filter: { supported: true } },
    });
    for (const authorization of [TOKEN, `bearer ${TOKEN}`, `BEARER  ${TOKEN}`]) {
      expect((await scim('GET', '/Users', undefined, authorization)).status).toBe(200);
    }
  });

  it('gives the token no other right: REST, RPC and SCIM over RPC do not know it', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'service-session-token': TOKEN };
    for (const url of ['/api/v2/users', '/api/rpc/users.list?input={}', '/api/rpc/scim.listUsers?input={}', '/api/v2/audit']) {
      expect((await app.inject({ method: 'GET', url, headers })).statusCode, url).toBe(401);
      expect((await app.inject({ method: 'GET', url, headers: { authorization: headers.authorization } })).statusCode, url).toBe(401);
    }
  });

  it('takes none of those who sign in: each SCIM procedure refuses every kind of caller over RPC', async () => {
    const fixture = await createFixture(server);
    const credentials = await credentialsFor(server, fixture);
    const procedures = procedureFacts().filter(({ path, meta }) => path.startsWith('scim.') && meta.permission !== 'public');
    expect(procedures.length).toBe(16);
    for (const { path, type } of procedures) {
      for (const principal of PRINCIPALS) {
        const headers = { ...credentials[principal], 'content-type': 'application/json' };
        const input = JSON.stringify({ id: newId(), resource: {} });
        const response =
          type === 'query'
            ? await app.inject({ method: 'GET', url: `/api/rpc/${path}?input=${encodeURIComponent(input)}`, headers })
            : await app.inject({ method: 'POST', url: `/api/rpc/${path}`, headers, payload: input });
        expect(response.statusCode, `${principal} ${path}`).toBe(401);
      }
    }
  });

  it('is the same under /api/v2, and answers unknown addresses and bodies in its own form', async () => {
    const response = await app.inject({
      method: 'GET',
      url: '/api/v2/scim/v2/Users?count=1',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, MEDIA_TYPE]);
    expect(await scim('GET', '/Nothing')).toMatchObject(refusal(404));
    expect(await scim('PUT', '/Users', {})).toMatchObject(refusal(404));
    expect(await scim('POST', '/Users', '{"userName": ')).toMatchObject(refusal(400, 'invalidSyntax'));
    expect(await scim('POST', '/Users', '[1]')).toMatchObject(refusal(400, 'invalidSyntax'));
    expect(await scim('POST', '/Users', { userName: 'a\u0000b' })).toMatchObject(refusal(400));
    expect(await scim('POST', '/Users', JSON.stringify({ userName: 'x'.repeat(3_000_000) }))).toMatchObject(refusal(413));
  });

  it('describes its schemas and resource types, as a list and one by one', async () => {
    for (const [path, count] of [
      ['/Schemas', 2],
      ['/ResourceTypes', 2],
    ] as const) {
      const list = await scim('GET', path);
      expect(list).toMatchObject({ status: 200, body: { totalResults: count } });
      for (const { id } of list.body['Resources'] as unknown as { id: string }[]) {
        expect(await scim('GET', `${path}/${id}`)).toMatchObject({ status: 200, body: { id } });
      }
      expect(await scim('GET', `${path}/nothing`)).toMatchObject(refusal(404));
    }
  });
});
