import { forbidden, invalid, invalidField, notFound, unauthenticated } from '@berth/core';
import { normalizeTags, tagsProblem } from '@berth/domain';
import { ProvisionerType } from '@berth/protocol';
import { organizationObject, provisionerDaemonObject } from '@berth/rbac';
import { z } from 'zod';
import type { Context, ProvisionerPrincipal } from '../kernel/context.ts';
import { userCallFor } from '../kernel/procedures.ts';
import { findOrganization } from '../organizations/index.ts';

/** Stands for daemons that come in with a person's API key; in no table. */
export const USER_AUTH_KEY_ID = '00000000-0000-0000-0000-000000000002';

const MAX_TAGS = 32;

/** What a daemon says of itself when it dials: the query of the WebSocket, whose parameters may be repeated. */
export const ServeQuery = z.object({
  provisioner: z.array(z.string().max(64)).max(8),
  tag: z.array(z.string().max(512)).max(MAX_TAGS),
  name: z.string().max(64).optional(),
  /** Of the protocol. */
  version: z.string().max(16).optional(),
});
export type ServeQuery = z.output<typeof ServeQuery>;

/**
 * As whom a daemon is let in that dials with `query` at an organization. With a provisioner key it belongs to the key: its organization
 * and its tags. With an API key it is for the person's own jobs when it has the tag `scope=user`, else for the whole organization, which
 * takes the right to create daemons there.
 *
 * @throws invalid for a query that makes no sense; unauthenticated, forbidden, not_found.
 */
export async function daemonPrincipal(context: Context, organization: string, query: ServeQuery): Promise<ProvisionerPrincipal> {
  const limits = { provisioners: provisionersOf(query), name: query.name === '' ? null : (query.name ?? null) };
  requireVersion(query.version);
  const tags = tagsOf(query.tag);
  const principal = await context.authenticate();
  if (principal.kind === 'provisioner') {
    if (query.tag.length > 0) throw invalidField('tag', 'cannot be given together with a provisioner key, which has its own tags');
    const place = await findOrganization(context.services.prisma, organization);
    if (place === null || (place.id !== principal.organizationId && !place.isDefault)) {
      throw forbidden('The provisioner key is for another organization.');
    }
    return { ...principal, limits };
  }
  const call = await userCallFor(context, 'provisioner_daemon:create');
  const place = await findOrganization(call.db, organization);
  if (place === null || !call.authorize.can('read', organizationObject(place.id))) throw notFound();
  const own = normalizeTags(tags, call.principal.userId);
  if (own['scope'] !== 'user') {
    const everybody = 'A daemon for everybody’s jobs takes the right to create provisioner daemons. For your own, send tag=scope=user.';
    if (!call.authorize.can('create', provisionerDaemonObject({ organizationId: place.id }))) throw forbidden(everybody);
  } else if (call.principal.subject.scope !== 'all') {
    throw forbidden('A daemon needs an API key that may do everything its owner may.');
  }
  return { kind: 'provisioner', organizationId: place.id, keyId: USER_AUTH_KEY_ID, tags: own, limits };
}

function provisionersOf({ provisioner }: ServeQuery): readonly ProvisionerType[] {
  if (provisioner.length === 0) throw invalidField('provisioner', 'is required');
  const known = z.array(ProvisionerType).safeParse(provisioner);
  if (!known.success) throw invalidField('provisioner', `must be one of ${ProvisionerType.options.join(', ')}`);
  return known.data;
}

/** This server speaks version 1 of the protocol; what is added to it later does not break older daemons. */
function requireVersion(version = '1.0'): void {
  if (!/^1\.\d{1,3}$/.test(version)) throw invalidField('version', 'is not one that this server speaks: it speaks 1.x');
}

function tagsOf(pairs: readonly string[]): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw invalidField('tag', 'must have the form key=value');
    const value = pair.slice(at + 1);
    if (value !== '') tags[pair.slice(0, at)] = value;
  }
  const problem = tagsProblem(tags);
  if (problem !== null) throw invalidField('tag', problem);
  return tags;
}

/** Refuses a daemon that registers as something else than what it dialled as. */
export function requireWithin({ limits }: ProvisionerPrincipal, input: { name: string; provisioners: readonly ProvisionerType[] }): void {
  if (limits === undefined) return;
  if (limits.name !== null && limits.name !== input.name) throw invalid('The daemon registers under another name than it dialled with.');
  if (input.provisioners.some((type) => !limits.provisioners.includes(type))) {
    throw invalid('The daemon registers for provisioners that it did not dial with.');
  }
}

/** For the door: a credential that is missing is 401 before the query is looked at. */
export async function requireDaemonCredential(context: Context): Promise<void> {
  const { kind } = await context.authenticate();
  if (kind !== 'provisioner' && kind !== 'user') throw unauthenticated('Send a provisioner key or an API key.');
}
