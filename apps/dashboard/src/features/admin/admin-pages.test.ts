import { expect, test } from 'vitest';
import { NO_RIGHTS } from '../access/no-rights.ts';
import type { SiteRights } from '../access/use-permissions.ts';
import { adminPages, seesAdministration } from './admin-pages.ts';

test('the section is for whoever has a page there, and shows nobody a page that would only refuse them', () => {
  const labels = (may: Partial<SiteRights>) => adminPages({ ...NO_RIGHTS, ...may }).map(({ label }) => label);
  expect(seesAdministration({ ...NO_RIGHTS, readUsers: true, createTemplates: true })).toBe(false);
  expect(seesAdministration({ ...NO_RIGHTS, writeOAuth2Apps: true })).toBe(true);
  expect(labels({ writeOAuth2Apps: true })).toEqual(['OAuth2 apps']);
  expect(labels({ readConfig: true })).not.toContain('Appearance');
});
