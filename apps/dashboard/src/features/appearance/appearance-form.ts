import { BANNER_COLOR, bannerTextProblem, logoProblem } from '@berth/domain';
import type { Appearance } from './brand.ts';

/** The largest picture that is kept as a part of the settings; a larger one needs an address. */
export const LOGO_BYTES_MAX = 48_000;

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const;

export const BANNER_COLORS = ['#1864ab', '#2b8a3e', '#e67700', '#c92a2a', '#5f3dc4', '#343a40', '#ffe066'] as const;

export interface BannerValues {
  /** Of the row, while it is on the page. */
  readonly key: string;
  readonly enabled: boolean;
  readonly message: string;
  readonly background_color: string;
}

export interface AppearanceValues {
  readonly application_name: string;
  readonly logo_url: string;
  readonly banners: BannerValues[];
}

export function newBanner(banner: Partial<BannerValues> = {}): BannerValues {
  return { enabled: true, message: '', background_color: BANNER_COLORS[0], ...banner, key: crypto.randomUUID() };
}

export function valuesOf({ application_name, logo_url, announcement_banners }: Appearance): AppearanceValues {
  return { application_name, logo_url, banners: announcement_banners.map((banner) => newBanner(banner)) };
}

export interface AppearanceInput {
  readonly application_name: string;
  readonly logo_url: string;
  readonly announcement_banners: { enabled: boolean; message: string; background_color: string }[];
}

/** What is sent; the same input for the same appearance, whatever the rows of the page are called. */
export function inputOf({ application_name, logo_url, banners }: AppearanceValues): AppearanceInput {
  return {
    application_name: application_name.trim(),
    logo_url: logo_url.trim(),
    announcement_banners: banners.map(({ enabled, message, background_color }) => ({ enabled, message: message.trim(), background_color })),
  };
}

export const RULES = {
  application_name: (name: string): string | null => (name.trim().length > 64 ? 'must have at most 64 characters' : null),
  logo_url: (url: string): string | null => logoProblem(url.trim()),
  banners: {
    message: (text: string): string | null =>
      text.trim() === ''
        ? 'must say something, or be removed'
        : text.length > 1000
          ? 'must have at most 1000 characters'
          : bannerTextProblem(text),
    background_color: (color: string): string | null => (BANNER_COLOR.test(color) ? null : 'must be a color such as #1864ab'),
  },
};

/** The rows with the one at `from` moved by `by`; as they are when there is no place there. */
export function moved<T>(rows: readonly T[], from: number, by: -1 | 1): T[] {
  const row = rows[from];
  const to = from + by;
  if (row === undefined || to < 0 || to >= rows.length) return [...rows];
  return rows.toSpliced(from, 1).toSpliced(to, 0, row);
}
