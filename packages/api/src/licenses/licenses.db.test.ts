import { given } from '@berth/testing';
import { expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { FEATURES } from './contract.ts';

const { prisma, callAs, callAsUser } = await createTestApi({ scimToken: null });
const owner = await given(prisma).user({ siteRoles: ['owner'] });

it('says to anyone that everything is on, without a license, a trial or a limit', async () => {
  await given(prisma).user({ status: 'suspended' });
  const entitlements = await callAs({ kind: 'anonymous' }).licenses.entitlements({});
  expect(Object.keys(entitlements.features).toSorted()).toEqual([...FEATURES].toSorted());
  const off = Object.entries(entitlements.features).filter(([, feature]) => !feature.enabled || feature.entitlement !== 'entitled');
  expect(off.map(([name]) => name)).toEqual(['browser_only', 'scim']);
  expect(entitlements.features.user_limit).toMatchObject({ actual: 1, limit: null });
  expect(entitlements).toMatchObject({ has_license: false, trial: false, require_telemetry: false, warnings: [], errors: [] });
});

it('has no licenses, takes none, and finds none to delete', async () => {
  expect(await callAsUser(owner.id).licenses.list({})).toEqual([]);
  await expect(callAsUser(owner.id).licenses.add({ license: 'eyJ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(callAsUser(owner.id).licenses.delete({ id: '1' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
