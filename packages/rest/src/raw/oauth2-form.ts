import { DomainError } from '@berth/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const FORM = 'application/x-www-form-urlencoded';
const FORM_BYTES = 64 * 1024;

/** In this scope a body is a form, and stays text until its handler reads it. */
export function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_, body, done) => done(null, body));
}

function refuse(message: string): never {
  throw new DomainError('invalid', message);
}

/** Parameters, each at most once (RFC 6749 section 3.1). Those without a value count as left out. */
function single(parameters: URLSearchParams): Record<string, string> {
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) refuse('A parameter is given twice.');
  return Object.fromEntries([...parameters].filter(([, value]) => value !== ''));
}

/** The form in the body of a request; empty when there is no body. */
function formOf(request: FastifyRequest): Record<string, string> {
  const text = typeof request.body === 'string' ? request.body : '';
  if (text === '') return {};
  if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== FORM) refuse(`Send the parameters as ${FORM}.`);
  return single(new URLSearchParams(text));
}

/** The query of a request together with its form; a parameter that stands in both is given twice. */
export function queryAndFormOf(request: FastifyRequest): Record<string, string> {
  const query = single(new URLSearchParams(request.url.split('?').slice(1).join('?')));
  const form = formOf(request);
  if (Object.keys(form).some((name) => name in query)) refuse('A parameter is given twice.');
  return { ...query, ...form };
}

/** The id and secret of `Authorization: Basic`, which carries both form-encoded; null when the header is another one. */
function basicCredentials(request: FastifyRequest): { client_id: string; client_secret: string } | null {
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  try {
    return { client_id: decodeForm(id), client_secret: decodeForm(secret.join(':')) };
  } catch {
    return refuse('The Authorization header is malformed.');
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** A client names itself by the header or by the form, never by both (RFC 6749 section 2.3). */
export function clientFormOf(request: FastifyRequest): Record<string, string> {
  const form = formOf(request);
  const basic = basicCredentials(request);
  if (basic === null) return form;
  if (form['client_secret'] !== undefined || (form['client_id'] !== undefined && form['client_id'] !== basic.client_id)) {
    refuse('The client names itself in two ways.');
  }
  return { ...form, ...basic };
}
