import type { Services } from '@berth/api/server';
import { TUNNEL_WEBSOCKET_OPTIONS } from '@berth/api/server';
import { newId } from '@berth/core';
import fastifyCookie from '@fastify/cookie';
import fastifyWebsocket from '@fastify/websocket';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import Fastify, { LogController } from 'fastify';
import { installErrorHandling, refuseUnreadable, refuseUnroutable } from './http/errors.ts';
import { installJsonBodies } from './http/json-bodies.ts';
import { mountProcedures } from './http/mount-procedures.ts';
import { createPeerOf } from './http/peer.ts';
import { installHeaders } from './http/policy.ts';
import { installRateLimit } from './http/rate-limit.ts';
import { mountOpenApi } from './openapi/mount.ts';
import { createAppServer, guardAppHosts, mountAppSignIn, mountPathApps, routeToApps } from './raw/apps/index.ts';
import { mountAuditExport } from './raw/audit-export.ts';
import { CSP_REPORTS_URL, mountCspReports } from './raw/csp-reports.ts';
import { mountDebugSocket } from './raw/debug-socket.ts';
import { mountConnections } from './raw/connections.ts';
import { mountExternalAuth } from './raw/external-auth.ts';
import { mountFiles } from './raw/files.ts';
import { isOAuth2Form, mountOAuth2 } from './raw/oauth2.ts';
import { mountProbes } from './raw/probes.ts';
import { mountProvisionerDaemons } from './raw/provisioner-daemons.ts';
import { mountRelay } from './raw/relay.ts';
import { mountRemoved } from './raw/removed.ts';
import { mountScim } from './raw/scim.ts';
import { mountSignOn } from './raw/sign-on.ts';
import { STATE_URL, mountState } from './raw/state.ts';
import { mountStreams, socketAndJsonUrls } from './raw/streams.ts';
import { mountTerminal } from './raw/terminal.ts';
import { mountTunnel } from './raw/tunnel.ts';
import { mountRpc } from './rpc.ts';

/** Largest JSON body; archives have a bound of their own. */
const BODY_BYTES = 2 * 1024 * 1024;

export interface HttpServerOptions {
  readonly services: Services;
  readonly logger?: FastifyBaseLogger;
  /** Addresses or networks whose forwarding headers count; none unless given. */
  readonly trustedProxies?: readonly string[];
  /** Requests to the API per address and minute; 0 is no limit. */
  readonly rateLimitPerMinute?: number;
}

/** The HTTP server with every door mounted: REST, typed RPC, streams, terminals, tunnels, apps, the API explorer. Not listening yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const { services } = options;
  const trustProxy = options.trustedProxies === undefined || options.trustedProxies.length === 0 ? false : [...options.trustedProxies];
  const app: FastifyInstance = Fastify({
    ...(options.logger === undefined ? {} : { loggerInstance: options.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    bodyLimit: BODY_BYTES,
    genReqId: () => newId(),
    requestIdHeader: false,
    frameworkErrors: (error, request, reply) => refuseUnroutable(services, error, request, reply),
    clientErrorHandler: refuseUnreadable,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    forceCloseConnections: true,
  });
  const peerOf = createPeerOf(options.trustedProxies ?? []);
  const apps = createAppServer(services, peerOf);
  guardAppHosts(app, services, { apps, peerOf });
  installErrorHandling(app);
  installHeaders(app, services);
  installRateLimit(app, options.rateLimitPerMinute ?? 0);
  await app.register(fastifyCookie);
  await app.register(fastifyWebsocket, { options: TUNNEL_WEBSOCKET_OPTIONS });
  installJsonBodies(app);
  await mountRpc(app, services);
  mountProcedures(
    app,
    services,
    (method, url) =>
      (method === 'GET' && (url === STATE_URL || socketAndJsonUrls.has(url))) ||
      (method === 'POST' && url === CSP_REPORTS_URL) ||
      isOAuth2Form(method, url),
  );
  mountFiles(app, services);
  mountAuditExport(app, services);
  mountExternalAuth(app, services);
  mountOAuth2(app, services);
  mountSignOn(app, services);
  mountState(app, services);
  mountStreams(app, services);
  mountRemoved(app);
  mountTerminal(app, services);
  mountConnections(app, services);
  mountCspReports(app, services);
  mountDebugSocket(app, services);
  mountRelay(app, services);
  mountTunnel(app, services);
  mountProvisionerDaemons(app, services);
  mountScim(app, services);
  mountAppSignIn(app, services);
  mountPathApps(app, apps);
  mountOpenApi(app, services);
  mountProbes(app, services);
  app.addHook('onReady', async () => routeToApps(app.server, services, { apps, peerOf }));
  return app;
}
