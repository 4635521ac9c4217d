import { expect, test } from 'vitest';
import type { PermissionRule } from './roles.ts';
import { ORGANIZATION_ROLES, SITE_ROLES } from './roles.ts';
import { PERMISSIONS } from './resources.ts';

/** The columns of the table: which role, which of its levels. */
const COLUMNS: readonly [short: string, role: string, level: 'site' | 'organization' | 'user'][] = [
  ['ow', 'owner', 'site'],
  ['ta', 'template-admin', 'site'],
  ['ua', 'user-admin', 'site'],
  ['au', 'auditor', 'site'],
  ['ms', 'member', 'site'],
  ['mu', 'member', 'user'],
  ['as', 'organization-admin', 'site'],
  ['ao', 'organization-admin', 'organization'],
  ['mo', 'organization-member', 'organization'],
  ['mm', 'organization-member', 'user'],
  ['oa', 'organization-auditor', 'organization'],
  ['us', 'organization-user-admin', 'site'],
  ['uo', 'organization-user-admin', 'organization'],
  ['to', 'organization-template-admin', 'organization'],
];

/** The whole matrix, written out by hand: a mark where the role grants the action at that level. */
const TABLE = `
                                        ow ta ua au ms mu as ao mo mm oa us uo to
api_key:create                          x  .  .  .  .  x  .  x  .  .  .  .  .  .
api_key:read                            x  .  .  .  .  x  .  x  .  .  .  .  .  .
api_key:update                          x  .  .  .  .  x  .  x  .  .  .  .  .  .
api_key:delete                          x  .  .  .  .  x  .  x  .  .  .  .  .  .
assign_org_role:assign                  x  .  x  .  .  x  .  x  .  .  .  .  x  .
assign_org_role:read                    x  .  x  .  .  x  .  x  x  .  .  .  x  .
assign_org_role:delete                  x  .  x  .  .  x  .  x  .  .  .  .  x  .
assign_org_role:create                  x  .  .  .  .  x  .  x  .  .  .  .  .  .
assign_org_role:update                  x  .  .  .  .  x  .  x  .  .  .  .  .  .
assign_role:assign                      x  .  x  .  .  x  .  .  .  .  .  .  .  .
assign_role:read                        x  .  x  .  x  x  .  .  .  .  .  .  .  .
assign_role:delete                      x  .  x  .  .  x  .  .  .  .  .  .  .  .
assign_role:create                      x  .  .  .  .  x  .  .  .  .  .  .  .  .
assign_role:update                      x  .  .  .  .  x  .  .  .  .  .  .  .  .
audit_log:create                        x  .  .  .  .  x  .  x  .  .  .  .  .  .
audit_log:read                          x  .  .  x  .  x  .  x  .  .  x  .  .  .
crypto_key:create                       x  .  .  .  .  x  .  x  .  .  .  .  .  .
crypto_key:read                         x  .  .  .  .  x  .  x  .  .  .  .  .  .
crypto_key:update                       x  .  .  .  .  x  .  x  .  .  .  .  .  .
crypto_key:delete                       x  .  .  .  .  x  .  x  .  .  .  .  .  .
debug_info:read                         x  .  .  .  .  x  .  x  .  .  .  .  .  .
deployment_config:read                  x  .  .  x  .  x  .  x  .  .  .  .  .  .
deployment_config:update                x  .  .  .  .  x  .  x  .  .  .  .  .  .
deployment_stats:read                   x  .  .  x  .  x  .  x  .  .  .  .  .  .
file:create                             x  x  .  .  .  x  .  x  .  .  .  .  .  x
file:read                               x  x  .  .  .  x  .  x  .  .  .  .  .  x
group:create                            x  .  x  .  .  x  .  x  .  .  .  .  x  .
group:read                              x  x  x  x  .  x  .  x  .  .  .  .  x  x
group:update                            x  .  x  .  .  x  .  x  .  .  .  .  x  .
group:delete                            x  .  x  .  .  x  .  x  .  .  .  .  x  .
group_member:read                       x  x  x  x  .  x  .  x  .  .  .  .  x  x
idpsync_settings:read                   x  .  x  .  .  x  .  x  .  .  .  .  x  .
idpsync_settings:update                 x  .  x  .  .  x  .  x  .  .  .  .  x  .
license:create                          x  .  .  .  .  x  .  x  .  .  .  .  .  .
license:read                            x  .  .  .  .  x  .  x  .  .  .  .  .  .
license:delete                          x  .  .  .  .  x  .  x  .  .  .  .  .  .
notification_message:create             x  .  .  .  .  x  .  x  .  .  .  .  .  .
notification_message:read               x  .  .  .  .  x  .  x  .  .  .  .  .  .
notification_message:update             x  .  .  .  .  x  .  x  .  .  .  .  .  .
notification_message:delete             x  .  .  .  .  x  .  x  .  .  .  .  .  .
notification_preference:read            x  .  .  .  .  x  .  x  .  .  .  .  .  .
notification_preference:update          x  .  .  .  .  x  .  x  .  .  .  .  .  .
notification_template:read              x  .  .  .  .  x  .  x  .  .  .  .  .  .
notification_template:update            x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app:create                       x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app:read                         x  .  .  .  x  x  .  x  .  .  .  .  .  .
oauth2_app:update                       x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app:delete                       x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app_code_token:create            x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app_code_token:read              x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app_code_token:delete            x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app_secret:create                x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app_secret:read                  x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app_secret:update                x  .  .  .  .  x  .  x  .  .  .  .  .  .
oauth2_app_secret:delete                x  .  .  .  .  x  .  x  .  .  .  .  .  .
organization:create                     x  .  .  .  .  x  .  x  .  .  .  .  .  .
organization:read                       x  x  .  .  .  x  .  x  x  .  .  .  .  .
organization:update                     x  .  .  .  .  x  .  x  .  .  .  .  .  .
organization:delete                     x  .  .  .  .  x  .  x  .  .  .  .  .  .
organization_member:create              x  .  x  .  .  .  .  x  .  .  .  .  x  .
organization_member:read                x  x  x  x  .  .  .  x  .  x  .  .  x  x
organization_member:update              x  .  x  .  .  .  .  x  .  .  .  .  x  .
organization_member:delete              x  .  x  .  .  .  .  x  .  .  .  .  x  .
provisioner_daemon:create               x  x  .  .  .  x  .  x  .  .  .  .  .  .
provisioner_daemon:read                 x  x  .  .  .  x  .  x  x  .  .  .  .  .
provisioner_daemon:update               x  x  .  .  .  x  .  x  .  .  .  .  .  .
provisioner_daemon:delete               x  x  .  .  .  .  .  x  .  .  .  .  .  .
provisioner_keys:create                 x  .  .  .  .  x  .  x  .  .  .  .  .  .
provisioner_keys:read                   x  .  .  .  .  x  .  x  .  .  .  .  .  .
provisioner_keys:delete                 x  .  .  .  .  x  .  x  .  .  .  .  .  .
replicas:read                           x  .  .  .  .  x  .  x  .  .  .  .  .  .
system:create                           x  .  .  .  .  x  .  x  .  .  .  .  .  .
system:read                             x  .  .  .  .  x  .  x  .  .  .  .  .  .
system:update                           x  .  .  .  .  x  .  x  .  .  .  .  .  .
system:delete                           x  .  .  .  .  x  .  x  .  .  .  .  .  .
tailnet_coordinator:create              x  .  .  .  .  x  .  x  .  .  .  .  .  .
tailnet_coordinator:read                x  .  .  .  .  x  .  x  .  .  .  .  .  .
tailnet_coordinator:update              x  .  .  .  .  x  .  x  .  .  .  .  .  .
tailnet_coordinator:delete              x  .  .  .  .  x  .  x  .  .  .  .  .  .
template:create                         x  x  .  .  .  x  .  x  .  .  .  .  .  x
template:read                           x  x  .  x  .  x  .  x  .  .  .  .  .  x
template:update                         x  x  .  .  .  x  .  x  .  .  .  .  .  x
template:delete                         x  x  .  .  .  x  .  x  .  .  .  .  .  x
template:view_insights                  x  x  .  x  .  x  .  x  .  .  .  .  .  x
user:create                             x  .  x  .  .  .  .  x  .  .  .  .  .  .
user:read                               x  x  x  x  .  x  x  x  .  .  .  x  .  .
user:update                             x  .  x  .  .  .  .  x  .  .  .  .  .  .
user:delete                             x  .  x  .  .  .  .  x  .  .  .  .  .  .
user:read_personal                      x  .  x  .  .  x  .  x  .  .  .  .  .  .
user:update_personal                    x  .  x  .  .  x  .  x  .  .  .  .  .  .
workspace:create                        x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace:read                          x  x  .  .  .  x  .  x  .  .  .  .  .  x
workspace:update                        x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace:delete                        x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace:start                         x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace:stop                          x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace:ssh                           x  .  .  .  .  x  .  .  .  .  .  .  .  .
workspace:application_connect           x  .  .  .  .  x  .  .  .  .  .  .  .  .
workspace_dormant:create                x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace_dormant:read                  x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace_dormant:update                x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace_dormant:delete                x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace_dormant:start                 .  .  .  .  .  .  .  .  .  .  .  .  .  .
workspace_dormant:stop                  x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace_dormant:ssh                   .  .  .  .  .  .  .  .  .  .  .  .  .  .
workspace_dormant:application_connect   .  .  .  .  .  .  .  .  .  .  .  .  .  .
workspace_proxy:create                  x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace_proxy:read                    x  .  .  .  x  x  .  x  .  .  .  .  .  .
workspace_proxy:update                  x  .  .  .  .  x  .  x  .  .  .  .  .  .
workspace_proxy:delete                  x  .  .  .  .  x  .  x  .  .  .  .  .  .
`;

const rows = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s+/));

const granted = (rules: readonly PermissionRule[]) => rules.map((rule) => `${rule.resourceType}:${rule.action}`).toSorted();

test('the table names every permission that exists, and no other', () => {
  expect(new Set(rows.map(([permission]) => permission))).toEqual(new Set<string>(PERMISSIONS));
});

test.each(COLUMNS)('column %s: role %s grants at level %s exactly what the table marks', (short, name, level) => {
  const role = Object.values({ ...SITE_ROLES, ...ORGANIZATION_ROLES }).find((candidate) => candidate.name === name);
  const column = COLUMNS.findIndex(([candidate]) => candidate === short) + 1;
  const marked = rows.filter((row) => row[column] === 'x').map(([permission]) => permission ?? '');
  expect(granted(role?.[level] ?? [])).toEqual(marked.toSorted());
});

test('built-in roles have no levels beyond those of the table, and negate nothing', () => {
  const levels = Object.values({ ...SITE_ROLES, ...ORGANIZATION_ROLES }).flatMap((role) =>
    (['site', 'organization', 'user'] as const).filter((level) => role[level].length > 0).map((level) => `${role.name} ${level}`),
  );
  expect(levels.toSorted()).toEqual(COLUMNS.map(([, role, level]) => `${role} ${level}`).toSorted());
  const rules = Object.values({ ...SITE_ROLES, ...ORGANIZATION_ROLES }).flatMap((role) => [
    ...role.site,
    ...role.organization,
    ...role.user,
  ]);
  expect(rules.filter((rule) => rule.negate)).toEqual([]);
});
