import type { Services } from '@berth/api/server';
import { pageOf } from './origin.ts';
import type { Visit } from './visit.ts';

const METHODS = 'HEAD, GET, POST, PUT, PATCH, DELETE';
const MAX_AGE_SECONDS = 600;

/** What lets a page of another app of the same owner read this one; nobody else may. Empty for requests that no other page made. */
export function corsHeaders({ settings }: Services, visit: Visit): [name: string, value: string][] {
  const { origin } = visit.message.headers;
  if (visit.request.accessMethod === 'path' || origin === undefined || pageOf(settings, visit) !== 'sibling') return [];
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Vary', 'Origin'],
  ];
}

/** The answer to a browser that asks whether such a page may send something; null when it does not ask, or the page is a stranger. */
export function preflightHeaders(services: Services, visit: Visit): [name: string, value: string][] | null {
  const { method, headers } = visit.message;
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return null;
  const cors = corsHeaders(services, visit);
  if (cors.length === 0) return null;
  const asked = headers['access-control-request-headers'];
  return [
    ...cors,
    ['Access-Control-Allow-Methods', METHODS],
    ...(asked === undefined ? [] : ([['Access-Control-Allow-Headers', asked]] as [string, string][])),
    ['Access-Control-Max-Age', String(MAX_AGE_SECONDS)],
  ];
}
