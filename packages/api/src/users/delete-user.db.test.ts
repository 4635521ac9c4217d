import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../auth/sessions.ts';
import { createTestApi } from '../testing/index.ts';

const { prisma, clock, services, callAsUser, keyOf } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const owner = await rows.user({ siteRoles: ['owner'] });
const admin = await rows.user({ siteRoles: ['user-admin'] });
const newMember = () => rows.user({ memberOf: [organization.id] });

describe('deleting an account', () => {
  it('ends everything that lets it in, at once', async () => {
    const user = await newMember();
    const key = await keyOf(user.id);
    expect(await services.authenticator.byToken(key, '')).not.toBeNull();
    const where = { userId: user.id };
    await rows.identity(where);
    const bytes = new Uint8Array([1]);
    await prisma.externalAuthLink.create({ data: { ...where, providerId: 'git', sealedAccessToken: bytes } });
    await prisma.gitSshKey.create({ data: { ...where, publicKey: 'ssh-ed25519 AAAA', sealedPrivateKey: bytes } });
    const access = await createApiKey(prisma, clock, { userId: user.id, loginType: 'oauth2_provider_app', lifetimeSeconds: 60, ip: '' });
    await rows.oauth2Grant({ ...where, apiKeyId: access.id });

    await callAsUser(admin.id).users.delete({ user: user.username });
    expect(await services.authenticator.byToken(key, '')).toBeNull();
    expect(await services.authenticator.byToken(access.token, '')).toBeNull();
    const left = await Promise.all([
      prisma.apiKey.count({ where }),
      prisma.userIdentity.count({ where }),
      prisma.externalAuthLink.count({ where }),
      prisma.gitSshKey.count({ where }),
      prisma.oAuth2ProviderToken.count({ where }),
    ]);
    expect(left).toEqual([0, 0, 0, 0, 0]);
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ deleted: true, passwordHash: null });
  });

  it('takes it out of its organizations and groups, and frees its name, address and external id', async () => {
    const user = await rows.user({ memberOf: [organization.id], scimExternalId: newId() });
    await rows.group({ organizationId: organization.id, memberIds: [user.id] });
    await callAsUser(admin.id).users.delete({ user: user.id });
    expect(await prisma.organizationMember.count({ where: { userId: user.id } })).toBe(0);
    expect(await prisma.groupMember.count({ where: { userId: user.id } })).toBe(0);
    await expect(callAsUser(admin.id).users.get({ user: user.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(rows.user({ username: user.username, email: user.email, scimExternalId: user.scimExternalId })).resolves.toBeDefined();
  });

  it('is recorded, as what it was before', async () => {
    const user = await newMember();
    expect(await callAsUser(admin.id).users.delete({ user: user.id })).toMatchObject({ message: 'The user is deleted.' });
    const row = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: user.id } });
    expect(row).toMatchObject({ action: 'delete', resourceType: 'user', resourceTarget: user.username, userId: admin.id, statusCode: 200 });
    expect(row.diff).toEqual({ deleted: { old: false, new: true, secret: false } });
  });

  it('is refused while it owns a workspace, and possible after the workspace is deleted', async () => {
    const { workspace, owner: holder } = await rows.workspace();
    const attempt = () => callAsUser(admin.id).users.delete({ user: holder.id });
    await expect(attempt()).rejects.toMatchObject({ cause: { kind: 'has_dependents' } });
    expect(await prisma.user.findUniqueOrThrow({ where: { id: holder.id } })).toMatchObject({ deleted: false });
    expect(await prisma.auditLog.findFirst({ where: { resourceId: holder.id } })).toMatchObject({ statusCode: 417, diff: {} });
    await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: true } });
    await expect(attempt()).resolves.toBeDefined();
  });

  it('is refused for one’s own account', async () => {
    await expect(callAsUser(owner.id).users.delete({ user: 'me' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is refused to whoever has fewer rights than the account', async () => {
    const auditor = await rows.user({ siteRoles: ['auditor'] });
    const organizationAdmin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] });
    for (const { id } of [owner, auditor, organizationAdmin]) {
      await expect(callAsUser(admin.id).users.delete({ user: id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(prisma.user.findUniqueOrThrow({ where: { id } })).resolves.toMatchObject({ deleted: false });
    }
  });

  it('of a user who gets a workspace at the same time leaves no workspace without an owner', async () => {
    const { template, organization: home } = await rows.template();
    const attempts = Array.from({ length: 4 }, async (_, index) => {
      const user = await rows.user({ memberOf: [home.id] });
      const [made, deleted] = await Promise.allSettled([
        callAsUser(user.id).workspaces.create({ user: 'me', name: `race-${index}`, template_id: template.id }),
        callAsUser(admin.id).users.delete({ user: user.id }),
      ]);
      const orphans = await prisma.workspace.count({ where: { ownerId: user.id, deleted: false, owner: { deleted: true } } });
      return { orphans, both: made.status === 'fulfilled' && deleted.status === 'fulfilled' };
    });
    for (const outcome of await Promise.all(attempts)) expect(outcome).toEqual({ orphans: 0, both: false });
  });
});

describe('the last owner', () => {
  it('stays, also when the owners are taken away at the same time', async () => {
    await prisma.user.updateMany({ where: { siteRoles: { has: 'owner' } }, data: { siteRoles: [] } });
    const [first, second] = [await rows.user({ siteRoles: ['owner'] }), await rows.user({ siteRoles: ['owner'] })];
    const [one, two] = [callAsUser(first.id), callAsUser(second.id)];
    await Promise.allSettled([one.users.delete({ user: second.id }), two.users.delete({ user: first.id })]);
    expect(await prisma.user.count({ where: { siteRoles: { has: 'owner' }, deleted: false } })).toBe(1);
  });
});
