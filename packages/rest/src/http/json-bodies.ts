import { DomainError } from '@berth/core';
import type { FastifyInstance } from 'fastify';

/** The name of the JSON type of a value that is not an object. */
function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function malformed(cause: Error): DomainError {
  const detail = 'The keys `__proto__` and `constructor.prototype` are not allowed either.';
  return new DomainError('invalid', 'The request body is not valid JSON.', { detail, cause });
}

/**
 * Parses every body as JSON, whatever its content type says, and an empty one as `{}`. A body that is not an object is rejected here, so
 * that no operation mistakes the indexes of an array for fields.
 */
export function installJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text.trim() === '') return done(null, {});
    return parseJson(request, text, (error: Error | null, value?: unknown) => {
      if (error !== null) return done(malformed(error));
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return done(null, value);
      return done(new DomainError('invalid', 'The request body must be a JSON object.', { detail: `This body is ${jsonType(value)}.` }));
    });
  });
}
