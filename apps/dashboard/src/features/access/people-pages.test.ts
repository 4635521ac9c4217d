import { expect, test } from 'vitest';
import { NO_RIGHTS } from './no-rights.ts';
import { peoplePages, seesPeople } from './people-pages.ts';
import type { SiteRights } from './use-permissions.ts';

test('a plain member does not see the section, an auditor and an administrator of one organization do', () => {
  expect(seesPeople(NO_RIGHTS)).toBe(false);
  expect(seesPeople({ ...NO_RIGHTS, readUsers: true })).toBe(true);
  expect(seesPeople({ ...NO_RIGHTS, readMembers: true })).toBe(true);
});

test('pages that somebody could only be refused on are not offered', () => {
  const labels = (may: SiteRights) => peoplePages(may).map(({ label }) => label);
  expect(labels({ ...NO_RIGHTS, readUsers: true })).not.toContain('Sign-on sync');
  expect(labels({ ...NO_RIGHTS, readSync: true })).toContain('Sign-on sync');
});
