import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMITTED_FILE, committedDocument } from './committed.ts';
import { openApiDocument } from './document.ts';

const document = openApiDocument({ version: 'v0', accessUrl: 'http://berth.test' });
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);

describe('the published document', () => {
  it('is the one in docs/api/openapi.json; `pnpm openapi` writes it anew', () => {
    expect(committedDocument() === readFileSync(COMMITTED_FILE, 'utf8'), 'docs/api/openapi.json is out of date').toBe(true);
  });

  it('gives every operation a unique id, a summary, a tag, and the error body for each refusal', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, path, operation } of operations) {
      expect(operation, name).toMatchObject({ summary: expect.any(String), tags: [expect.any(String)] });
      const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
      expect(refusals.length, name).toBeGreaterThan(1);
      // What OAuth2 clients call refuses in the protocol's own form.
      const isOfOAuth2 = path.startsWith('/oauth2/') && operation.security?.length === 0;
      for (const [status, refusal] of refusals) {
        // Headers that are too long are rejected before anyone knows what was asked.
        const schema = status === '431' ? 'Error' : isOfOAuth2 ? 'OAuth2Error' : path.startsWith('/scim/') ? 'SCIMError' : 'Error';
        const type = schema === 'SCIMError' ? 'application/scim+json' : 'application/json';
        expect(refusal, name).toMatchObject({ content: { [type]: { schema: { $ref: `#/components/schemas/${schema}` } } } });
      }
    }
  });

  it('names the same path parameters in the path and in the parameters', () => {
    for (const { name, path, operation } of operations) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter);
      const declared = (Array.isArray(operation['parameters']) ? operation['parameters'] : [])
        .filter((parameter: { in: string }) => parameter.in === 'path')
        .map((parameter: { name: string }): string => parameter.name);
      expect(new Set(declared), name).toEqual(new Set(inPath));
    }
  });

  it('holds everything that it refers to', () => {
    const references: string[] = [];
    JSON.stringify(document, (key, value: unknown) => {
      // A property may be named `$ref`, too; its value is a schema.
      if (key === '$ref' && typeof value === 'string') references.push(value);
      return value;
    });
    expect(references.length).toBeGreaterThan(100);
    expect([...new Set(references)].filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });
});

/** What a reference within the document points at (RFC 6901). */
function resolve(reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, part) => (typeof node === 'object' && node !== null ? Reflect.get(node, part) : undefined), document);
}
