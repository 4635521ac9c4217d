import { describe, expect, test } from 'vitest';
import { auditDescription, auditResourceLink } from './audit-description.ts';
import { auditDiff } from './audit-diff.ts';
import { AUDIT_FIELDS } from './audit-fields.ts';
import { AUDIT_RESOURCE_TYPES } from './enums.ts';

describe('diff', () => {
  test('holds the changed tracked fields and nothing else', () => {
    const before = { name: 'dev', ttl: 1000, favorite: true, last_used_at: 'x' };
    const after = { name: 'dev', ttl: 2000, favorite: true, last_used_at: 'y' };
    expect(auditDiff('workspace', before, after)).toEqual({ ttl: { old: 1000, new: 2000, secret: false } });
  });

  test('of something new or gone lists only what was set, against zero values of the same type', () => {
    const group = { name: 'devs', quota_allowance: 0, display_name: '', members: ['a'], avatar_url: null };
    expect(auditDiff('group', null, group)).toEqual({
      name: { old: '', new: 'devs', secret: false },
      members: { old: [], new: ['a'], secret: false },
    });
    expect(auditDiff('group', group, {})).toEqual({
      name: { old: 'devs', new: '', secret: false },
      members: { old: ['a'], new: [], secret: false },
    });
  });

  test('never shows a secret, and still says that it changed', () => {
    const diff = auditDiff('user', { hashed_password: 'old-secret', email: 'a@b.c' }, { hashed_password: 'new-secret', email: 'a@b.c' });
    expect(diff).toEqual({ hashed_password: { old: '', new: '', secret: true } });
    const secrets = AUDIT_RESOURCE_TYPES.flatMap((type) =>
      Object.entries(AUDIT_FIELDS[type])
        .filter(([, tracking]) => tracking === 'secret')
        .map(([field]) => `${type}.${field}`),
    );
    expect(secrets.toSorted()).toEqual([
      'external_auth_link.access_token',
      'external_auth_link.refresh_token',
      'git_ssh_key.private_key',
      'user.hashed_password',
      'workspace_proxy.token_hashed_secret',
    ]);
    for (const [type, field] of secrets.map((path) => path.split('.') as [(typeof AUDIT_RESOURCE_TYPES)[number], string])) {
      expect(JSON.stringify(auditDiff(type, null, { [field]: 'hunter2' }))).not.toContain('hunter2');
    }
  });

  test('compares what values mean: dates, key order, null and zero', () => {
    const date = new Date('2026-01-01T00:00:00Z');
    expect(auditDiff('workspace', { dormant_at: date }, { dormant_at: '2026-01-01T00:00:00.000Z' })).toEqual({});
    expect(auditDiff('workspace', { dormant_at: null }, { dormant_at: date })).toEqual({
      dormant_at: { old: '', new: '2026-01-01T00:00:00.000Z', secret: false },
    });
    expect(auditDiff('template', { user_acl: { a: ['x'], b: [] } }, { user_acl: { b: [], a: ['x'] } })).toEqual({});
    expect(auditDiff('workspace', { ttl: null }, { ttl: 0 })).toEqual({});
    expect(auditDiff('template', { default_ttl: 5n }, { default_ttl: 5 })).toEqual({});
    expect(auditDiff('workspace', { favorite: true }, { favorite: false })).toEqual({ favorite: { old: true, new: false, secret: false } });
  });
});

test.each([
  ['write', 'template', 200, '{user} updated template {target}'],
  ['start', 'workspace_build', 200, '{user} started workspace {target}'],
  ['delete', 'workspace', 403, '{user} unsuccessfully attempted to delete workspace {target}'],
  ['login', 'workspace', 200, '{user} entered workspace {target}'],
  ['login', 'api_key', 201, '{user} logged in'],
  ['login', 'api_key', 401, '{user} unsuccessfully attempted to log in'],
  ['create', 'api_key', 201, '{user} created token {target}'],
  ['write', 'git_ssh_key', 200, '{user} updated git ssh key'],
  ['create', 'convert_login', 201, '{user} created login type conversion to {target}'],
  ['request_password_reset', 'user', 204, 'password reset requested for {target}'],
  ['write', 'health_settings', 200, '{user} updated health_settings {target}'],
  ['create', 'oauth2_provider_app', 201, '{user} created oauth2 app {target}'],
  ['create', 'organization_member', 200, '{user} created organization member {target}'],
] as const)('%s of %s with %i reads "%s"', (action, resourceType, statusCode, text) => {
  expect(auditDescription({ action, resourceType, statusCode })).toBe(text);
});

test('links lead to pages that exist, with names escaped, and nowhere for what is gone', () => {
  const link = { target: 'a b', isDeleted: false } as const;
  expect(auditResourceLink({ ...link, resourceType: 'template' })).toBe('/templates/a%20b');
  expect(auditResourceLink({ ...link, resourceType: 'user' })).toBe('/users?filter=a%20b');
  expect(auditResourceLink({ ...link, resourceType: 'workspace', workspaceOwner: 'ada' })).toBe('/@ada/a%20b');
  expect(auditResourceLink({ ...link, resourceType: 'workspace_build', workspaceOwner: 'ada', workspaceName: 'dev', buildNumber: 3 })).toBe(
    '/@ada/dev/builds/3',
  );
  expect(auditResourceLink({ ...link, resourceType: 'oauth2_provider_app_secret', appId: 'id' })).toBe(
    '/deployment/oauth2-provider/apps/id',
  );
  expect(auditResourceLink({ ...link, resourceType: 'workspace' })).toBe('');
  expect(auditResourceLink({ ...link, resourceType: 'license' })).toBe('');
  expect(auditResourceLink({ ...link, resourceType: 'template', isDeleted: true })).toBe('');
});
