import type { Principal, Services } from '@berth/api/server';
import { keyOfAppSession } from '@berth/api/server';
import type { CallerFacts } from '../../http/caller.ts';
import { callerOf, explicitToken, identify, requireSameOrigin } from '../../http/caller.ts';
import { appSessionCookieName, cookieValues } from './cookies.ts';
import { pageOf } from './origin.ts';
import type { Visit, Visitor } from './visit.ts';

const NOBODY: Principal = { kind: 'anonymous' };

/**
 * Who came to an app. Below a path of ours that is decided as everywhere on our host. On a host of its own, by the key that a program sends,
 * or by that host's own cookie; what a page of a stranger made the browser send counts as nobody's.
 */
export async function identifyVisitor(services: Services, visit: Visit): Promise<Visitor> {
  if (visit.request.accessMethod === 'path') {
    const caller = callerOf(visit.message, visit.peer);
    if (visit.message.headers.upgrade !== undefined) requireSameOrigin(caller, services);
    return { principal: await identify(services, caller, { isForApp: true }), isForeign: false };
  }
  return identifyOnHost(services, visit, callerOf(visit.message, visit.peer));
}

async function identifyOnHost(services: Services, visit: Visit, caller: CallerFacts): Promise<Visitor> {
  const { authenticator, settings } = services;
  const sent = explicitToken(caller);
  if (sent !== undefined) return { principal: (await authenticator.byToken(sent, caller.ip)) ?? NOBODY, isForeign: false };
  const [cookie] = cookieValues(visit.message, appSessionCookieName(settings));
  if (cookie === undefined) return { principal: NOBODY, isForeign: false };
  if (pageOf(settings, visit) === 'foreign') return { principal: NOBODY, isForeign: true };
  const key = keyOfAppSession(services, { host: visit.host, cookie });
  const principal = key === null ? null : await authenticator.byToken(key, caller.ip);
  return { principal: principal ?? NOBODY, isForeign: false };
}
