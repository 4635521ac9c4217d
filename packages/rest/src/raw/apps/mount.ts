import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Services } from '@berth/api/server';
import type { FastifyInstance } from 'fastify';
import { isHostOfApps } from '../../http/app-host.ts';
import { isAppUrl } from '../../http/app-url.ts';
import type { PeerOf } from '../../http/peer.ts';
import type { AppServer } from './serve.ts';

/**
 * Sends everything for the host of an app to the apps, before any other hook or route of ours is asked. Call it first: what comes in by no
 * socket (tests) is caught here; what comes in by one, before Fastify sees it, in `routeToApps`.
 */
export function guardAppHosts(app: FastifyInstance, services: Services, { apps, peerOf }: { apps: AppServer; peerOf: PeerOf }): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isHostOfApps(peerOf(request.raw).host, services.settings)) return;
    reply.hijack();
    await apps.request(request.raw, reply.raw);
  });
}

/** Apps below a path of our own host. Everything else under `/@` is a page of the dashboard. */
export function mountPathApps(app: FastifyInstance, apps: AppServer): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_, payload, done) => done(null, payload));
    scope.all('/@*', async (request, reply) => {
      if (!isAppUrl(request.url)) return reply.callNotFound();
      reply.hijack();
      await apps.request(request.raw, reply.raw);
      return reply;
    });
  });
}

/** Sends requests and upgrades for the hosts of apps to the apps, upgrades of path apps too, and all others on as before. */
export function routeToApps(server: Server, services: Services, { apps, peerOf }: { apps: AppServer; peerOf: PeerOf }): void {
  const isForApp = (message: IncomingMessage): boolean => isHostOfApps(peerOf(message).host, services.settings);
  const requests = taken(server, 'request');
  const upgrades = taken(server, 'upgrade');
  server.on('request', (message: IncomingMessage, response: ServerResponse) => {
    if (isForApp(message)) return void apps.request(message, response);
    for (const listener of requests) Reflect.apply(listener, server, [message, response]);
  });
  // The app says whether it wants the body; for our own routes Node's answer is the right one.
  server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) => {
    if (isForApp(message) || isAppUrl(message.url ?? '')) return void apps.request(message, response);
    response.writeContinue();
    server.emit('request', message, response);
  });
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isForApp(message) || isAppUrl(message.url ?? '')) return void apps.upgrade(message, socket, head);
    for (const listener of upgrades) Reflect.apply(listener, server, [message, socket, head]);
  });
}

function taken(server: Server, event: 'request' | 'upgrade'): readonly ((...args: never[]) => unknown)[] {
  const listeners = server.listeners(event);
  server.removeAllListeners(event);
  return listeners as ((...args: never[]) => unknown)[];
}
