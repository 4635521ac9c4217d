import { subscribe } from 'node:diagnostics_channel';
import { procedureFacts } from '@berth/api/server';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../index.ts';
import { listen } from '../live.ts';
import { DOORS } from './doors.ts';
import { DOOR_EXPECTATIONS, PLAIN_ROUTES } from './expectations.ts';
import { VISITORS, createDoorFixture } from './fixture.ts';

/**
 * Every way in that is no plain operation (WebSockets, streams of events, apps) as every kind of caller, over the real HTTP server. The
 * expectation is a reviewed table: a route that no row is about fails, and so does a row without a door.
 */
const routes = new Set<string>();
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ url, wsHandler, websocket, method }) => {
    const isSocket = wsHandler !== undefined || websocket === true;
    for (const each of [method].flat()) routes.add(isSocket ? `WS ${url}` : `${each} ${url}`);
  });
});
const server = await createTestServer();
const { url } = await listen(server);
const fixture = await createDoorFixture(server, url);

describe('the matrix of visitors and doors', () => {
  it('has a row for every route that is no operation of the router, and no others', () => {
    const operations = procedureFacts().flatMap(({ meta }) => {
      if (meta.openapi === undefined) return [];
      const path = `/api/v2${meta.openapi.path.replaceAll(/\{([^}]+)\}/g, ':$1')}`;
      // Other methods of the same paths are refused.
      return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${path}`);
    });
    const known = new Set(operations);
    const raw = [...routes].filter((route) => !known.has(route)).map((route) => route.split(' ')[1] ?? '');
    const covered = Object.values(DOORS).flatMap(({ route }) => (route === null ? [] : [route]));
    expect([...new Set(raw)].toSorted()).toEqual([...new Set([...covered, ...PLAIN_ROUTES])].toSorted());
    expect(covered.filter((route) => PLAIN_ROUTES.includes(route))).toEqual([]);
    const sockets = new Set(Object.values(DOORS).flatMap(({ route, isSocket }) => (isSocket ? [route] : [])));
    for (const route of routes) if (route.startsWith('WS ')) expect(sockets).toContain(route.slice(3));
    expect(Object.keys(DOOR_EXPECTATIONS).toSorted()).toEqual(Object.keys(DOORS).toSorted());
  });

  for (const [name, door] of Object.entries(DOORS)) {
    it(`lets those through the door that were reviewed, and nobody else: ${name}`, async () => {
      const expected = DOOR_EXPECTATIONS[name]?.split(/\s+/) ?? [];
      const actual: string[] = [];
      for (const visitor of VISITORS) actual.push(`${visitor} ${await door.open(fixture, fixture.visitors[visitor])}`);
      expect(actual).toEqual(VISITORS.map((visitor, column) => `${visitor} ${expected[column]}`));
    });
  }

  const sockets = Object.entries(DOORS).filter(([, { route, isSocket }]) => isSocket && route !== null);
  it.each(sockets)('lets in nobody whom a page of another site brings along: %s', async (name, door) => {
    const outcomes = DOOR_EXPECTATIONS[name]?.split(/\s+/) ?? [];
    const strongest = VISITORS.findLast((_, column) => outcomes[column] === 'open') ?? 'owner';
    const origin = 'https://evil.example.com';
    expect(await door.open(fixture, { ...fixture.visitors[strongest], origin })).toBe(name === 'relay between servers' ? '401' : '403');
  });
});
