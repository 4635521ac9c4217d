import { forbidden, invalidField, isUuid, notFound } from '@berth/core';
import { sameText } from '@berth/db';
import type { IdpSyncPlan } from '@berth/domain';
import { compilePattern, planIdpSync } from '@berth/domain';
import { userObject } from '@berth/rbac';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { DryRunIdpSync, IdpSyncResult } from './contract.ts';
import { planSettings, readFacts } from './facts.ts';
import { organizationOfSync, syncObject } from './places.ts';
import { presentPlan } from './present-plan.ts';
import type { StoredIdpSync } from './settings.ts';
import { NO_GROUP_SYNC, NO_ROLE_SYNC, readIdpSync } from './settings.ts';

type DryRun = z.output<typeof DryRunIdpSync>;

/** Says what a sign-in with these claims would give, and why, by the very plan that a sign-in carries out. Changes nothing. */
export async function dryRunIdpSync(call: UserCall, input: DryRun): Promise<IdpSyncResult> {
  const { db, services } = call;
  const onlyOrganization = input.organization === undefined ? null : await organizationOfSync(call, input.organization);
  if (onlyOrganization === null) call.authorize.require(syncObject(null), { sitewide: true });
  const user = input.user === undefined ? null : await visibleUser(call, input.user);
  const { signOn } = services.settings;
  if (input.provider !== undefined && !signOn.providers.some(({ id }) => id === input.provider)) {
    throw invalidField('provider', 'is not a configured sign-on provider');
  }
  const { claims, receivedAt, providerId } =
    input.claims === undefined ? await lastClaims(call, user) : { claims: input.claims, receivedAt: null, providerId: undefined };
  const provider = input.provider ?? providerId ?? signOn.providers.find(({ type }) => type === 'oidc')?.id ?? '';
  const stored = overridden(await readIdpSync(db), input.settings ?? {});
  const settings = planSettings(stored, signOn, provider);
  const facts = await readFacts(db, { userId: user?.id ?? null, isNew: user === null, settings });
  const tried =
    onlyOrganization === null ? facts : { ...facts, organizations: facts.organizations.filter(({ id }) => id === onlyOrganization.id) };
  const plan =
    onlyOrganization === null
      ? planIdpSync({ claims, settings, facts })
      : ofOrganization(
          planIdpSync({
            claims,
            settings: { ...settings, organization: { field: '', mapping: {}, assignDefault: false } },
            facts: { ...tried, user: { ...facts.user, organizations: asMember(facts.user.organizations, onlyOrganization.id) } },
          }),
          onlyOrganization.id,
        );
  return presentPlan(db, plan, { userId: user?.id ?? null, provider, receivedAt });
}

/** As if they were in the organization, since the question is what they would get there. */
function asMember(organizations: ReadonlyMap<string, readonly string[]>, organizationId: string): Map<string, readonly string[]> {
  return new Map([[organizationId, organizations.get(organizationId) ?? []]]);
}

/** Keeps what concerns one organization: who may see its settings need not see those of the site. */
function ofOrganization(plan: IdpSyncPlan, organizationId: string): IdpSyncPlan {
  const nothing = { status: 'off', field: '', problem: '', items: [] } as const;
  return {
    ...plan,
    organizations: nothing,
    siteRoles: nothing,
    trace: plan.trace.filter((line) => line.organizationId === organizationId),
  };
}

interface VisibleUser {
  readonly id: string;
  readonly mayReadClaims: boolean;
}

async function visibleUser(call: UserCall, param: string): Promise<VisibleUser> {
  const where = isUuid(param) ? { id: param } : { username: sameText(param) };
  const row = await call.db.user.findFirst({ where: { ...where, deleted: false }, select: { id: true } });
  if (row === null || !call.authorize.can('read', userObject(row.id))) throw notFound();
  return { id: row.id, mayReadClaims: call.authorize.can('read_personal', userObject(row.id)) };
}

const Claims = z.record(z.string(), z.unknown());

async function lastClaims(call: UserCall, user: VisibleUser | null) {
  if (user === null) throw invalidField('claims', 'is needed unless `user` is given');
  if (!user.mayReadClaims) throw forbidden('You may not read the claims of this user. Paste claims instead.');
  const identity = await call.db.userIdentity.findFirst({
    where: { userId: user.id, kind: 'oidc' },
    select: { mergedClaims: true, updatedAt: true, providerId: true },
    orderBy: { updatedAt: 'desc' },
  });
  if (identity === null) throw invalidField('user', 'has never signed in with an OpenID Connect provider: paste claims');
  return { claims: Claims.parse(identity.mergedClaims), receivedAt: identity.updatedAt, providerId: identity.providerId };
}

/** The stored settings with those that are tried in their place. */
function overridden(stored: StoredIdpSync, { organization = {}, groups = {}, roles = {} }: NonNullable<DryRun['settings']>): StoredIdpSync {
  for (const [id, { regex_filter: filter }] of Object.entries(groups)) {
    if (typeof filter === 'string' && filter !== '' && compilePattern(filter) === null) {
      throw invalidField(`settings.groups.${id}.regex_filter`, 'cannot be read as an RE2 expression');
    }
  }
  return {
    organization: withGiven(stored.organization, organization),
    groups: merged(stored.groups, groups, NO_GROUP_SYNC),
    roles: merged(stored.roles, roles, NO_ROLE_SYNC),
  };
}

function withGiven<T extends object>(settings: T, patch: { readonly [K in keyof T]?: T[K] | undefined }): T {
  return { ...settings, ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) };
}

function merged<T extends object>(
  stored: ReadonlyMap<string, T>,
  patches: Readonly<Record<string, { readonly [K in keyof T]?: T[K] | undefined }>>,
  standard: T,
): Map<string, T> {
  const all = new Map(stored);
  for (const [id, patch] of Object.entries(patches)) all.set(id, withGiven(all.get(id) ?? standard, patch));
  return all;
}
