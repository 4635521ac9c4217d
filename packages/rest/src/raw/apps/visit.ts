import type { IncomingMessage } from 'node:http';
import type { AppRequest, Principal, Services } from '@berth/api/server';
import { AppRefusal, parseAppHost } from '@berth/api/server';
import { newId } from '@berth/core';
import { hostName, isHostOfApps } from '../../http/app-host.ts';
import { parseAppUrl } from '../../http/app-url.ts';
import type { Peer } from '../../http/peer.ts';

/** A request for an app, read as far as its address goes. */
export interface Visit {
  readonly id: string;
  readonly message: IncomingMessage;
  readonly peer: Peer;
  /** The app's own host, without its port; empty for an app below a path of ours. */
  readonly host: string;
  readonly request: AppRequest;
  /** Path and query as the app sees them; null where a path app lacks its final slash, without which relative links break. */
  readonly path: string | null;
}

/** Who came, and whether a page of another site sent them, so that their cookie does not count. */
export interface Visitor {
  readonly principal: Principal;
  readonly isForeign: boolean;
}

/** @throws AppRefusal for a host that names no app, and for a target that is no path. */
export function readVisit({ settings }: Services, message: IncomingMessage, peer: Peer): Visit | null {
  const url = message.url ?? '';
  const visit = { id: newId(), message, peer };
  if (settings.wildcardHost !== null && isHostOfApps(peer.host, settings)) {
    const app = parseAppHost(peer.host, settings.wildcardHost);
    if (app === null) throw new AppRefusal('bad_host');
    if (!url.startsWith('/')) throw new AppRefusal('bad_request');
    const { owner, workspace, agent, target } = app;
    return {
      ...visit,
      host: hostName(peer.host),
      request: { accessMethod: 'subdomain', basePath: '/', owner, workspace, agent, target },
      path: url,
    };
  }
  const parsed = parseAppUrl(url);
  if (parsed === null) return null;
  const { owner, workspace, agent = '', slug, rest } = parsed;
  const basePath = rest === null ? `${url.replace(/\?.*$/, '')}/` : url.slice(0, url.length - rest.length + 1);
  return {
    ...visit,
    host: '',
    request: { accessMethod: 'path', basePath, owner, workspace, agent, target: { kind: 'app', slug } },
    path: rest,
  };
}

/** Whether a browser shows the answer as a page of its own, rather than handing it to a script or an element of another page. */
export function isDocument({ headers, method }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? headers.accept?.includes('text/html') === true : mode === 'navigate';
}
