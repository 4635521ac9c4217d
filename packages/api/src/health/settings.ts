import { NIL_UUID } from '@berth/core';
import type { Tx } from '@berth/db';
import { HEALTH_SECTIONS } from '@berth/domain';
import type { UserCall } from '../kernel/procedures.ts';
import { HealthSettings } from './contract.ts';

const KEY = 'health_settings';

/** Which sections nobody wants to be told of. */
export async function readHealthSettings(db: Tx): Promise<HealthSettings> {
  const row = await db.siteSetting.findUnique({ where: { key: KEY }, select: { value: true } });
  return HealthSettings.parse(row === null ? { dismissed_healthchecks: [] } : JSON.parse(row.value));
}

export async function getHealthSettings(call: UserCall): Promise<HealthSettings> {
  call.authorize.require({ type: 'debug_info' });
  return await readHealthSettings(call.db);
}

/** Replaces the dismissed sections. One that is named twice counts once. */
export async function updateHealthSettings(call: UserCall, input: HealthSettings): Promise<HealthSettings> {
  const { db } = call;
  call.audit.set({ resourceId: NIL_UUID, target: KEY });
  call.authorize.require({ type: 'deployment_config' }, { sitewide: true });
  // Two changes at the same time happen one after the other, so that each one's diff is true.
  await db.$executeRaw`INSERT INTO site_settings (key, value) VALUES (${KEY}, '{"dismissed_healthchecks":[]}') ON CONFLICT DO NOTHING`;
  await db.$executeRaw`SELECT 1 FROM site_settings WHERE key = ${KEY} FOR UPDATE`;
  const before = await readHealthSettings(db);
  const after = { dismissed_healthchecks: HEALTH_SECTIONS.filter((section) => input.dismissed_healthchecks.includes(section)) };
  if (after.dismissed_healthchecks.join() === before.dismissed_healthchecks.join()) {
    call.audit.discard();
    return after;
  }
  await db.siteSetting.update({ where: { key: KEY }, data: { value: JSON.stringify(after) }, select: { key: true } });
  call.audit.update({ before, after });
  return after;
}
