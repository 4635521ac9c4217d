import { expect, test } from 'vitest';
import { BANNER_COLORS, RULES, inputOf, moved, newBanner, valuesOf } from './appearance-form.ts';

test('what was loaded is sent back as it was', () => {
  const banner = { enabled: true, message: 'Maintenance on Sunday', background_color: '#1864ab' };
  const appearance = {
    application_name: 'Harbour',
    logo_url: '',
    docs_url: '',
    service_banner: banner,
    announcement_banners: [banner],
    support_links: [],
  };
  expect(inputOf(valuesOf(appearance))).toEqual({ application_name: 'Harbour', logo_url: '', announcement_banners: [banner] });
});

test('rows move by one place and stay within the list', () => {
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b']);
});

test('a banner that says nothing, or leads to a script, is not sent', () => {
  expect(RULES.banners.message(newBanner().message)).not.toBeNull();
  expect(RULES.banners.message('[x](javascript:alert(1))')).not.toBeNull();
  expect(RULES.banners.message('See **[the plan](https://example.com)**')).toBeNull();
  for (const color of BANNER_COLORS) expect(RULES.banners.background_color(color)).toBeNull();
});
