import { expect, test } from 'vitest';
import type { SiteRights } from '../access/use-permissions.ts';
import { adminPages, seesAdministration } from './admin-pages.ts';

const NOTHING: SiteRights = {
  readUsers: false,
  createUsers: false,
  readMembers: false,
  createOrganizations: false,
  createTemplates: false,
  createGroups: false,
  defineSiteRoles: false,
  assignSiteRoles: false,
  readSync: false,
  readAnySync: false,
  writeSync: false,
  writeOAuth2Apps: false,
  readConfig: false,
  writeConfig: false,
  readHealth: false,
  readDeploymentStats: false,
  writeProxies: false,
  runProvisioners: false,
  readAllTokens: false,
};

test('the section is for whoever has a page there, and shows nobody a page that would only refuse them', () => {
  const labels = (may: Partial<SiteRights>) => adminPages({ ...NOTHING, ...may }).map(({ label }) => label);
  expect(seesAdministration({ ...NOTHING, readUsers: true, createTemplates: true })).toBe(false);
  expect(seesAdministration({ ...NOTHING, writeOAuth2Apps: true })).toBe(true);
  expect(labels({ writeOAuth2Apps: true })).toEqual(['OAuth2 apps']);
  expect(labels({ readConfig: true })).not.toContain('Appearance');
});
