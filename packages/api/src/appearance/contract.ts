import { APPLICATION_NAME_MAX, BANNERS_MAX, BANNER_COLOR, BANNER_TEXT_MAX, LOGO_URL_MAX, SUPPORT_LINK_ICONS } from '@berth/domain';
import { bannerTextProblem, logoProblem } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

export const Banner = z
  .object({
    enabled: z.boolean(),
    message: z.string().meta({ description: 'Words, with `**strong**` ones and `[links](https://…)`.' }),
    background_color: z.string().meta({ description: '`#rrggbb`; empty where there is no banner.' }),
  })
  .meta({ id: 'BannerConfig', description: 'What everybody sees above every page.' });
export type Banner = z.output<typeof Banner>;

export const SupportLink = z
  .object({
    name: z.string().min(1).max(64),
    target: z.string().max(2048),
    icon: z.enum(SUPPORT_LINK_ICONS),
  })
  .meta({ id: 'LinkConfig', description: 'Where people find help.' });
export type SupportLink = z.output<typeof SupportLink>;

const brand = {
  application_name: z.string().meta({ description: 'Empty: the product’s own.' }),
  logo_url: z.string().meta({ description: 'An https address or an image as a `data:` one; empty: the product’s own.' }),
};

export const Brand = z.object(brand).meta({ id: 'Brand', description: 'What the deployment calls itself, also before sign-in.' });
export type Brand = z.output<typeof Brand>;

export const Appearance = z
  .object({
    ...brand,
    docs_url: z.string().meta({ description: 'The deployment’s own documentation; empty: none.' }),
    service_banner: Banner.meta({ description: 'The first of `announcement_banners`, for older clients.', deprecated: true }),
    announcement_banners: z.array(Banner),
    support_links: z.array(SupportLink),
  })
  .meta({ id: 'AppearanceConfig', description: 'How the deployment presents itself.' });
export type Appearance = z.output<typeof Appearance>;

/** Refuses with the sentence of `problem`. */
const judged = (text: z.ZodString, problem: (value: string) => string | null): z.ZodString =>
  text.check((context) => {
    const message = problem(context.value);
    if (message !== null) context.issues.push({ code: 'custom', message, input: context.value });
  });

const BannerInput = z.object({
  enabled: z.boolean().default(false),
  message: judged(z.string().max(BANNER_TEXT_MAX), bannerTextProblem).default(''),
  background_color: z.string().max(7).regex(BANNER_COLOR, 'must be a color such as #1864ab'),
});

export const UpdateAppearance = z
  .object({
    application_name: z.string().max(APPLICATION_NAME_MAX).optional(),
    logo_url: judged(z.string().max(LOGO_URL_MAX), logoProblem).optional(),
    service_banner: z
      .object({ enabled: z.boolean(), message: z.string().max(BANNER_TEXT_MAX), background_color: z.string().max(7) })
      .partial()
      .optional()
      .meta({ description: 'Not read: the first of `announcement_banners` takes its place.' }),
    announcement_banners: z.array(BannerInput).max(BANNERS_MAX).optional(),
  })
  .meta({ description: 'Absent fields stay unchanged.' });

export const AppearanceChanged = z
  .object({ ...brand, service_banner: Banner, announcement_banners: z.array(Banner) })
  .meta({ id: 'UpdateAppearanceConfig' });
export type AppearanceChanged = z.output<typeof AppearanceChanged>;

export const routes = {
  get: route({
    method: 'GET',
    path: '/appearance',
    tag: 'Enterprise',
    id: 'get-appearance',
    summary: 'Get how the deployment presents itself',
  }),
  update: route({
    method: 'PUT',
    path: '/appearance',
    tag: 'Enterprise',
    id: 'update-appearance',
    summary: 'Change how the deployment presents itself',
    description: 'Open pages show the change at once.',
    errors: ['forbidden'],
  }),
};
