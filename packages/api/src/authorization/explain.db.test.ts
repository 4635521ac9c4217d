import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi, userPrincipal } from '../testing/index.ts';

const { prisma, callAs, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization({ displayName: 'Harbour' });
const owner = await rows.user({ siteRoles: ['owner'] });
const member = await rows.user({ memberOf: [organization.id] });
const { workspace, template } = await rows.workspace({ organization, owner: member });
const api = callAsUser(owner.id).authorization;
const ofWorkspace = { resource_type: 'workspace', resource_id: workspace.id };
const inHarbour = { id: organization.id, name: organization.name, display_name: 'Harbour', icon: '' };

describe('what is allowed', () => {
  it('is explained by each role that grants it, in words', async () => {
    const role = await rows.role({
      organizationId: organization.id,
      displayName: 'Watch',
      organizationPermissions: [{ negate: false, resource_type: 'workspace', action: 'read' }],
    });
    const user = await rows.user({
      siteRoles: ['template-admin'],
      memberOf: [{ organizationId: organization.id, roles: ['organization-admin', role.name] }],
    });
    expect(await api.explain({ user: user.username, object: ofWorkspace, action: 'read' })).toEqual({
      allowed: true,
      sentence: `${user.username} may do this: read workspace.`,
      granting_roles: [],
      reasons: [
        {
          kind: 'site_role',
          effect: 'grants',
          sentence: 'The role Template Admin grants it.',
          role: { name: 'template-admin', display_name: 'Template Admin', organization_id: '' },
          organization: null,
          group: null,
        },
        {
          kind: 'organization_role',
          effect: 'grants',
          sentence: 'The role Organization Admin in Harbour grants it.',
          role: { name: 'organization-admin', display_name: 'Organization Admin', organization_id: organization.id },
          organization: inHarbour,
          group: null,
        },
        {
          kind: 'custom_role',
          effect: 'grants',
          sentence: 'The role Watch in Harbour grants it.',
          role: { name: role.name, display_name: 'Watch', organization_id: organization.id },
          organization: inHarbour,
          group: null,
        },
      ],
    });
  });

  it('is explained by ownership, and by the lists of a template', async () => {
    expect((await api.explain({ user: member.id, object: ofWorkspace, action: 'ssh' })).reasons).toMatchObject([
      { kind: 'ownership', sentence: `It belongs to ${member.username}, and being a user grants it over what one owns.` },
    ]);
    const group = await rows.group({ organizationId: organization.id, displayName: 'Sailors', memberIds: [member.id] });
    await prisma.template.update({
      where: { id: template.id },
      data: { userAcl: { [member.id]: ['*'] }, groupAcl: { [group.id]: ['read'], [organization.id]: ['read'] } },
    });
    const object = { resource_type: 'template', resource_id: template.id };
    expect((await api.explain({ user: member.id, object, action: 'read' })).reasons).toMatchObject([
      { kind: 'user_acl', sentence: `Its own list of people gives it to ${member.username}.` },
      { kind: 'everyone_group', sentence: 'Its own list of groups gives it to everyone in Harbour.' },
      { kind: 'group_acl', sentence: 'Its own list of groups gives it to the group Sailors.', group: { id: group.id } },
    ]);
  });
});

describe('what is refused', () => {
  it('names the roles of which any one would be enough', async () => {
    const role = await rows.role({
      sitePermissions: [{ negate: false, resource_type: 'workspace', action: 'read' }],
      displayName: 'Guest',
    });
    const user = await rows.user({ memberOf: [organization.id] });
    const explained = await api.explain({ user: user.id, object: ofWorkspace, action: 'read' });
    expect(explained).toMatchObject({
      allowed: false,
      sentence: `${user.username} may not do this: read workspace.`,
      reasons: [{ kind: 'no_grant', effect: 'refuses' }],
    });
    const granting = explained.granting_roles.map((one) => one.display_name);
    expect(granting).toEqual(
      expect.arrayContaining(['Owner', 'Template Admin', 'Guest', 'Organization Admin', 'Organization Template Admin']),
    );
    expect(granting).not.toContain('Auditor');
    await prisma.customRole.delete({ where: { id: role.id } });
  });

  it('to somebody outside says so, and that membership would be enough for what is theirs', async () => {
    const { workspace: left } = await rows.workspace({ organization, owner: await rows.user() });
    const { ownerId } = left;
    const explained = await api.explain({ user: ownerId, object: { resource_type: 'workspace', resource_id: left.id }, action: 'start' });
    expect(explained.reasons.map(({ kind }) => kind)).toEqual(['not_a_member', 'no_grant']);
    expect(explained.reasons[0]?.sentence).toContain('is not a member of Harbour');
    expect(explained.granting_roles).toContainEqual({
      name: 'organization-member',
      display_name: expect.any(String),
      organization_id: organization.id,
    });
  });

  it('by a role that takes it away names the role', async () => {
    const blind = await rows.role({
      sitePermissions: [{ negate: true, resource_type: 'workspace', action: 'read' }],
      displayName: 'Blind',
    });
    const user = await rows.user({ siteRoles: ['owner', blind.name], memberOf: [organization.id] });
    expect(await api.explain({ user: user.id, object: ofWorkspace, action: 'read' })).toMatchObject({
      allowed: false,
      reasons: [{ kind: 'negated', sentence: 'The role Blind takes it away.' }],
      granting_roles: [],
    });
  });

  it('by the credential in use is said of oneself, and of others all that they were given counts', async () => {
    const principal = await userPrincipal(prisma, owner.id);
    if (principal.kind !== 'user') throw new Error('not a user');
    const narrow = callAs({ ...principal, subject: { ...principal.subject, scope: 'read_only' } }).authorization;
    const question = { object: ofWorkspace, action: 'ssh' };
    expect(await narrow.explain({ user: 'me', ...question })).toMatchObject({
      allowed: false,
      reasons: [{ kind: 'scope' }],
      granting_roles: [],
    });
    expect(await narrow.explain({ user: member.id, ...question })).toMatchObject({ allowed: true });
  });

  it('to a suspended user is everything', async () => {
    const user = await rows.user({ siteRoles: ['owner'], status: 'suspended' });
    expect(await api.explain({ user: user.id, object: ofWorkspace, action: 'read' })).toMatchObject({
      allowed: false,
      reasons: [{ kind: 'suspended' }],
      granting_roles: [],
    });
  });
});

describe('the caller', () => {
  it('must be able to read the user, the object and the organization: else they are not found', async () => {
    const elsewhere = await rows.organization();
    const stranger = await rows.user({ memberOf: [elsewhere.id] });
    const ask = callAsUser(stranger.id).authorization;
    const mine = { user: 'me', action: 'read' };
    const refusals = [
      ask.explain({ user: member.id, object: { resource_type: 'workspace' }, action: 'read' }),
      ask.explain({ ...mine, object: ofWorkspace }),
      ask.explain({ ...mine, object: { ...ofWorkspace, resource_id: newId() } }),
      ask.explain({ ...mine, object: { resource_type: 'workspace', organization_id: organization.id } }),
    ];
    for (const result of await Promise.allSettled(refusals)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
    }
    await expect(ask.explain({ ...mine, object: { ...ofWorkspace, resource_id: 'x' } })).rejects.toMatchObject({
      cause: { validations: [{ field: 'object.resource_id' }] },
    });
  });

  it('learns nothing of organizations and groups that they may not read', async () => {
    const elsewhere = await rows.organization();
    const user = await rows.user({ memberOf: [organization.id, { organizationId: elsewhere.id, roles: ['organization-admin'] }] });
    const admin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] });
    const explained = await callAsUser(admin.id).authorization.explain({
      user: user.id,
      object: { resource_type: 'template', any_org: true },
      action: 'create',
    });
    expect(explained).toMatchObject({
      allowed: true,
      reasons: [
        {
          kind: 'organization_role',
          role: null,
          organization: null,
          sentence: 'A role in an organization that you may not read grants it.',
        },
      ],
    });
    expect(JSON.stringify(explained)).not.toContain(elsewhere.id);
  });
});
