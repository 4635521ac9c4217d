import { expect, test } from 'vitest';
import { peoplePages, seesPeople } from './people-pages.ts';
import type { SiteRights } from './use-permissions.ts';

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

test('a plain member does not see the section, an auditor and an administrator of one organization do', () => {
  expect(seesPeople(NOTHING)).toBe(false);
  expect(seesPeople({ ...NOTHING, readUsers: true })).toBe(true);
  expect(seesPeople({ ...NOTHING, readMembers: true })).toBe(true);
});

test('pages that somebody could only be refused on are not offered', () => {
  const labels = (may: SiteRights) => peoplePages(may).map(({ label }) => label);
  expect(labels({ ...NOTHING, readUsers: true })).not.toContain('Sign-on sync');
  expect(labels({ ...NOTHING, readSync: true })).toContain('Sign-on sync');
});
