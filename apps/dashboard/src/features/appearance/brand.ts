import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';

export type Appearance = Outputs['appearance']['get'];
export type Banner = Appearance['announcement_banners'][number];
type Brand = Outputs['appearance']['brand'];

const STORED = 'berth.brand';
const FRESH_MS = 60_000;
export const PRODUCT_NAME = 'Berth';

/** As this browser saw it last, so that the header does not change while the server is asked. */
function storedBrand(): Brand | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('application_name' in stored) || !('logo_url' in stored)) return undefined;
    const { application_name, logo_url } = stored;
    return typeof application_name === 'string' && typeof logo_url === 'string' ? { application_name, logo_url } : undefined;
  } catch {
    return undefined;
  }
}

function brandQuery() {
  const stored = storedBrand();
  return trpc.appearance.brand.queryOptions(
    {},
    {
      staleTime: FRESH_MS,
      meta: { anonymous: true },
      ...(stored === undefined ? {} : { initialData: stored, initialDataUpdatedAt: 0 }),
    },
  );
}

/** How the deployment presents itself, as the Shell keeps it: live. */
export function appearanceQuery() {
  return trpc.appearance.get.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY, meta: { anonymous: true } });
}

/** What this tab and the next visit show. */
export function storeAppearance(appearance: Appearance): void {
  const { application_name, logo_url } = appearance;
  queryClient.setQueryData(appearanceQuery().queryKey, appearance);
  queryClient.setQueryData(brandQuery().queryKey, { application_name, logo_url });
  try {
    localStorage.setItem(STORED, JSON.stringify({ application_name, logo_url }));
  } catch {
    // Without storage the header is asked for anew at the next visit.
  }
}

/** The name and the logo of the deployment; those of the product until they are known, and where none were chosen. */
export function useBrand(): { readonly name: string; readonly logoUrl: string } {
  const brand = useQuery(brandQuery());
  const name = brand.data?.application_name ?? '';
  return { name: name === '' ? PRODUCT_NAME : name, logoUrl: brand.data?.logo_url ?? '' };
}
