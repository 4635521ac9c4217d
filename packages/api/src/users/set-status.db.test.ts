import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { setUserStatus } from './set-status.ts';

const { prisma, services, callAsUser, keyOf } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const owner = await rows.user({ siteRoles: ['owner'] });
const admin = await rows.user({ siteRoles: ['user-admin'] });

const lastRow = (resourceId: string) => prisma.auditLog.findFirstOrThrow({ where: { resourceId }, orderBy: { time: 'desc' } });

describe('suspending', () => {
  it('ends every key at once and takes back the passcode; activating lets the same keys in again', async () => {
    const user = await rows.user({
      memberOf: [organization.id],
      oneTimePasscodeHash: new Uint8Array(32),
      oneTimePasscodeExpiresAt: new Date(Date.now() + 1000),
    });
    const key = await keyOf(user.id);
    expect(await services.authenticator.byToken(key, '')).not.toBeNull();
    expect(await callAsUser(admin.id).users.suspend({ user: user.id })).toMatchObject({ id: user.id, status: 'suspended' });
    expect(await services.authenticator.byToken(key, '')).toBeNull();
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ oneTimePasscodeHash: null });
    expect((await lastRow(user.id)).diff).toEqual({ status: { old: 'active', new: 'suspended', secret: false } });

    expect(await callAsUser(admin.id).users.activate({ user: user.username })).toMatchObject({ status: 'active' });
    expect(await services.authenticator.byToken(key, '')).not.toBeNull();
    expect((await lastRow(user.id)).diff).toEqual({ status: { old: 'suspended', new: 'active', secret: false } });
  });

  it('twice is as once', async () => {
    const user = await rows.user();
    await callAsUser(admin.id).users.suspend({ user: user.id });
    expect(await callAsUser(admin.id).users.suspend({ user: user.id })).toMatchObject({ status: 'suspended' });
    expect((await lastRow(user.id)).diff).toEqual({});
  });

  it('oneself is refused, and so is an owner, even by an owner', async () => {
    await expect(callAsUser(admin.id).users.suspend({ user: 'me' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const other = await rows.user({ siteRoles: ['owner'] });
    await expect(callAsUser(owner.id).users.suspend({ user: other.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await lastRow(other.id)).toMatchObject({ statusCode: 400, userId: owner.id });
  });

  it('and activating are refused to whoever has fewer rights than the account', async () => {
    const strong = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] });
    await expect(callAsUser(admin.id).users.suspend({ user: strong.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await prisma.user.update({ where: { id: strong.id }, data: { status: 'suspended' } });
    await expect(callAsUser(admin.id).users.activate({ user: strong.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(callAsUser(owner.id).users.activate({ user: strong.id })).resolves.toMatchObject({ status: 'active' });
  });

  it('the last owner who can sign in is refused also to programs that suspend accounts', async () => {
    const call = { services, db: prisma, afterCommit: (run: () => void) => run() };
    await prisma.user.updateMany({ where: { siteRoles: { has: 'owner' }, id: { not: owner.id } }, data: { status: 'suspended' } });
    await expect(setUserStatus(call, { userId: owner.id, status: 'suspended' })).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('activating', () => {
  it('marks a dormant account as active', async () => {
    const user = await rows.user({ status: 'dormant' });
    expect(await callAsUser(admin.id).users.activate({ user: user.id })).toMatchObject({ status: 'active' });
  });
});
