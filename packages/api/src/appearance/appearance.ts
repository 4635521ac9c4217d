import { NIL_UUID } from '@berth/core';
import type { Tx } from '@berth/db';
import { BANNERS_MAX } from '@berth/domain';
import { z } from 'zod';
import { appearanceChannel } from '../kernel/channels.ts';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { Appearance, AppearanceChanged, Brand, UpdateAppearance } from './contract.ts';
import { Banner } from './contract.ts';

/** As it stands in the one row of the settings of the site. */
const Stored = z.object({
  application_name: z.string().default(''),
  logo_url: z.string().default(''),
  announcement_banners: z.array(Banner).max(BANNERS_MAX).default([]),
});
type Stored = z.output<typeof Stored>;

const KEY = 'appearance';
const NO_BANNER: Banner = { enabled: false, message: '', background_color: '' };

async function readStored(db: Tx): Promise<Stored> {
  const row = await db.siteSetting.findUnique({ where: { key: KEY }, select: { value: true } });
  return Stored.parse(row === null ? {} : JSON.parse(row.value));
}

/** How the deployment presents itself: what its owners chose, and where its settings say that help is. */
export async function readAppearance({ db, services }: { readonly db: Tx; readonly services: Services }): Promise<Appearance> {
  const stored = await readStored(db);
  return {
    ...stored,
    docs_url: services.settings.docsUrl,
    service_banner: stored.announcement_banners[0] ?? NO_BANNER,
    support_links: [...services.settings.supportLinks],
  };
}

/** What is for everybody's eyes: no more than a sign-in page needs. */
export async function readBrand(db: Tx): Promise<Brand> {
  const { application_name, logo_url } = await readStored(db);
  return { application_name, logo_url };
}

/** Changes the given fields, and tells every open page. */
export async function updateAppearance(call: UserCall, input: z.output<typeof UpdateAppearance>): Promise<AppearanceChanged> {
  const { db, services } = call;
  call.audit.set({ resourceId: NIL_UUID, target: 'appearance' });
  call.authorize.require({ type: 'deployment_config' }, { sitewide: true });
  // Two changes at the same time happen one after the other, so that each one's diff is true.
  await db.$executeRaw`SELECT 1 FROM site_settings WHERE key = ${KEY} FOR UPDATE`;
  const before = await readStored(db);
  const after: Stored = {
    application_name: input.application_name?.trim() ?? before.application_name,
    logo_url: input.logo_url ?? before.logo_url,
    announcement_banners: input.announcement_banners ?? before.announcement_banners,
  };
  const value = JSON.stringify(after);
  const changed = { ...after, service_banner: after.announcement_banners[0] ?? NO_BANNER };
  if (value === JSON.stringify(before)) {
    call.audit.discard();
    return changed;
  }
  await db.siteSetting.upsert({ where: { key: KEY }, create: { key: KEY, value }, update: { value }, select: { key: true } });
  await services.bus.publish(db, appearanceChannel, {});
  call.audit.update({ before: audited(before), after: audited(after) });
  return changed;
}

/** An image in the log would be noise: whether it is one, and how large, says enough. */
function audited(stored: Stored): Readonly<Record<string, unknown>> {
  const { logo_url } = stored;
  return {
    ...stored,
    logo_url: logo_url.startsWith('data:') ? `${logo_url.slice(0, logo_url.indexOf(','))},… (${logo_url.length})` : logo_url,
  };
}
