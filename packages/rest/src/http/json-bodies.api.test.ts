import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { createScimServer, TOKEN } from '../testing/scim/client.ts';
import { restOperations } from './mount-procedures.ts';

const server = await createTestServer();
const NOT_OBJECTS = [
  ['an array', '[{"name":"x"}]'],
  ['an array', '[]'],
  ['a string', '"text"'],
  ['a number', '7'],
  ['a boolean', 'true'],
  ['null', 'null'],
] as const;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Operations that read a body; `POST /oauth2/tokens` reads a form. */
const withBody = restOperations()
  .filter(({ method, url }) => method !== 'GET' && url !== '/api/v2/oauth2/tokens')
  .map(({ method, url }) => [`${String(method)} ${url}`, String(method), url.replaceAll(/:\w+/g, NIL)] as const);

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function send(app: typeof server.app, method: string, url: string, payload: string, headers: Record<string, string> = {}) {
  return app.inject({ method: method as Method, url, payload, headers: { 'content-type': 'application/json', ...headers } });
}

describe('a request body that is not a JSON object', () => {
  it.each(withBody)('is rejected by %s with the rule', async (_, method, url) => {
    for (const [type, payload] of NOT_OBJECTS) {
      const response = await send(server.app, method, url, payload);
      expect([response.statusCode, response.json()], payload).toEqual([
        400,
        { message: 'The request body must be a JSON object.', detail: `This body is ${type}.`, validations: [] },
      ]);
    }
  });

  it('is rejected by raw routes with the rule, in the form of their protocol', async () => {
    const scim = await createScimServer();
    const calls = ['/Users', '/Groups'].flatMap((path) => [
      ['POST', `/scim/v2${path}`] as const,
      ['PUT', `/api/v2/scim/v2${path}/${NIL}`] as const,
      ['PATCH', `/scim/v2${path}/${NIL}`] as const,
    ]);
    for (const [type, payload] of NOT_OBJECTS) {
      const report = await send(server.app, 'POST', '/api/v2/csp/reports', payload);
      expect([report.statusCode, report.json().message], payload).toEqual([400, 'The request body must be a JSON object.']);
      for (const [method, url] of calls) {
        const response = await send(scim.app, method, url, payload, { authorization: `Bearer ${TOKEN}` });
        expect([response.statusCode, response.json().detail], `${method} ${url} ${payload}`).toEqual([
          400,
          `The request body must be a JSON object. This body is ${type}.`,
        ]);
      }
      for (const path of ['tokens', 'device', 'revoke', 'introspect']) {
        const response = await send(server.app, 'POST', `/oauth2/${path}`, payload);
        expect([response.statusCode, response.json().error], `${path} ${payload}`).toEqual([400, 'invalid_request']);
      }
    }
  });

  it('counts as an empty object when there is no body at all, and text that is not JSON is rejected as such', async () => {
    const empty = await send(server.app, 'POST', '/api/v2/users/login', '  ');
    expect(empty.json()).toMatchObject({ message: 'Validation failed.' });
    for (const payload of ['{', 'name=x', '{} {}', '{"__proto__": {}}']) {
      const response = await send(server.app, 'POST', '/api/v2/users/login', payload, { 'content-type': 'text/plain' });
      expect([response.statusCode, response.json().message], payload).toEqual([400, 'The request body is not valid JSON.']);
    }
  });
});
