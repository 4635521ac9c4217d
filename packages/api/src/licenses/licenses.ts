import { NIL_UUID, invalidField, notFound } from '@berth/core';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { Entitlements, Feature, FeatureName } from './contract.ts';
import { FEATURES } from './contract.ts';

/** Every feature, on for everyone except where a setting has to turn it on. The people who count are those who may sign in. */
export async function readEntitlements({ prisma, clock, settings }: Services): Promise<Entitlements> {
  const activeUsers = await prisma.user.count({ where: { deleted: false, status: 'active' } });
  const feature = (name: FeatureName): Feature => ({
    entitlement: 'entitled',
    enabled: name === 'scim' ? settings.scimToken !== null : name !== 'browser_only',
    limit: null,
    actual: name === 'user_limit' ? activeUsers : null,
  });
  return {
    // Built from the closed list of names, so that every one is there.
    features: Object.fromEntries(FEATURES.map((name) => [name, feature(name)])) as Record<FeatureName, Feature>,
    warnings: [],
    errors: [],
    has_license: false,
    trial: false,
    require_telemetry: false,
    refreshed_at: clock.now().toISOString(),
  };
}

/** Refuses: nothing is sold, so there is nothing that a license could turn on. */
export function addLicense(call: UserCall): never {
  call.audit.set({ resourceId: NIL_UUID, target: '' });
  call.authorize.require({ type: 'license' }, { sitewide: true });
  throw invalidField('license', 'is not needed: everything is on for everyone');
}

/** Refuses: there are no licenses. */
export function deleteLicense(call: UserCall, input: { id: string }): never {
  call.audit.set({ resourceId: NIL_UUID, target: input.id });
  call.authorize.require({ type: 'license' }, { sitewide: true });
  throw notFound();
}

/** Confirms what always holds: entitlements are read anew each time. */
export function refreshEntitlements(call: UserCall): Confirmation {
  call.authorize.require({ type: 'license' }, { sitewide: true });
  return confirmed('Everything is on for everyone.');
}
