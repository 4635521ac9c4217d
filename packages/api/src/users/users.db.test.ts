import { NIL_UUID } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAs, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const PASSWORD = 'correct horse battery staple';

function newUser(username: string, overrides: Record<string, unknown> = {}) {
  return { email: `${username}@example.com`, username, password: PASSWORD, organization_ids: [organization.id], ...overrides };
}

describe('the first user', () => {
  it('is made once, by exactly one of many callers, and owns the deployment', async () => {
    await prisma.user.updateMany({ data: { deleted: true } });
    const attempts = ['ada', 'bob', 'cyd', 'dan'].map((username) =>
      callAs({ kind: 'anonymous' })
        .users.createFirst({ email: `${username}@example.com`, username, password: PASSWORD })
        .then((created) => created.user_id)
        .catch((error: unknown) => error),
    );
    const results = await Promise.all(attempts);
    const made = results.filter((result) => typeof result === 'string');
    expect(made).toHaveLength(1);
    const user = await prisma.user.findUniqueOrThrow({ where: { id: made[0] ?? '' } });
    expect(user).toMatchObject({ siteRoles: ['owner'], status: 'active' });
    expect(user.passwordHash).toMatch(/^\$argon2id\$/);
    expect(await prisma.auditLog.count({ where: { resourceId: user.id, action: 'create' } })).toBe(1);
  });
});

describe('create', () => {
  it('names every broken field at once', async () => {
    const owner = await rows.user({ siteRoles: ['owner'] });
    const refusal = await callAsUser(owner.id)
      .users.create({ email: 'no address', username: 'not valid', password: '123', organization_ids: [] })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    const fields = (refusal as { cause: { validations: { field: string }[] } }).cause.validations.map(({ field }) => field);
    expect(fields.toSorted()).toEqual(['email', 'organization_ids', 'password', 'username']);
  });

  it('takes a name only once, whatever its case, and gives it back when its account is deleted', async () => {
    const owner = await rows.user({ siteRoles: ['owner'] });
    const created = await callAsUser(owner.id).users.create(newUser('grace'));
    expect(created).toMatchObject({
      username: 'grace',
      status: 'dormant',
      organization_ids: [organization.id],
      roles: [],
      last_seen_at: null,
    });
    await expect(callAsUser(owner.id).users.create(newUser('Grace', { email: 'other@example.com' }))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await prisma.user.update({ where: { id: created.id }, data: { deleted: true } });
    await expect(callAsUser(owner.id).users.create(newUser('Grace'))).resolves.toMatchObject({ username: 'Grace' });
  });

  it('of one name by two callers at once makes one account and one conflict', async () => {
    const owner = await rows.user({ siteRoles: ['owner'] });
    const both = await Promise.allSettled([
      callAsUser(owner.id).users.create(newUser('race')),
      callAsUser(owner.id).users.create(newUser('race')),
    ]);
    expect(both.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((result) => result.status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
  });

  it('is refused to members, and the attempt leaves no account', async () => {
    const member = await rows.user({ memberOf: [organization.id] });
    await expect(callAsUser(member.id).users.create(newUser('sneaky'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await prisma.user.count({ where: { username: 'sneaky' } })).toBe(0);
  });

  it('needs the right to add members to each organization, and reads the zero id as the default one', async () => {
    const admin = await rows.user({ siteRoles: ['user-admin'] });
    const standard = await prisma.organization.findFirstOrThrow({ where: { isDefault: true } });
    const created = await callAsUser(admin.id).users.create(newUser('zoe', { organization_ids: [standard.id] }));
    expect(created.organization_ids).toEqual([standard.id]);
    await expect(callAsUser(admin.id).users.create(newUser('zac', { organization_ids: [crypto.randomUUID()] }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const owner = await rows.user({ siteRoles: ['owner'] });
    const byZero = await callAsUser(owner.id).users.create(newUser('zed', { organization_ids: [NIL_UUID] }));
    expect(byZero.organization_ids).toEqual([standard.id]);
  });
});

describe('read', () => {
  it('answers the same 404 for an unknown user and for one the caller may not read', async () => {
    const member = await rows.user({ memberOf: [organization.id] });
    const other = await rows.user();
    const unreadable = await callAsUser(member.id)
      .users.get({ user: other.username })
      .catch((error: unknown) => String(error));
    const unknown = await callAsUser(member.id)
      .users.get({ user: 'does-not-exist' })
      .catch((error: unknown) => String(error));
    expect(unreadable).toBe(unknown);
    expect(await callAsUser(member.id).users.get({ user: 'me' })).toMatchObject({ id: member.id });
    expect(await callAsUser(member.id).users.get({ user: member.username.toUpperCase() })).toMatchObject({ id: member.id });
  });

  it('lists to members only themselves, to auditors everyone, by name and without the deleted', async () => {
    const member = await rows.user({ memberOf: [organization.id] });
    await rows.user({ deleted: true });
    expect(await callAsUser(member.id).users.list({})).toMatchObject({ count: 1, users: [{ id: member.id }] });
    const auditor = await rows.user({ siteRoles: ['auditor'] });
    const all = await callAsUser(auditor.id).users.list({});
    expect(all.count).toBe(await prisma.user.count({ where: { deleted: false } }));
    expect(all.users).toHaveLength(all.count);
    const names = all.users.map((user) => user.username.toLowerCase());
    expect(names).toEqual(names.toSorted());
  });

  it('pages by offset and by cursor to the same rows', async () => {
    const owner = await rows.user({ siteRoles: ['owner'] });
    const caller = callAsUser(owner.id);
    const { users } = await caller.users.list({});
    const page = await caller.users.list({ limit: 2, offset: 2 });
    const after = await caller.users.list({ limit: 2, after_id: users[1]?.id });
    expect(page.users.map((user) => user.id)).toEqual(users.slice(2, 4).map((user) => user.id));
    expect(after.users).toEqual(page.users);
  });

  it('refuses a search it does not understand, naming the key', async () => {
    const owner = await rows.user({ siteRoles: ['owner'] });
    await expect(callAsUser(owner.id).users.list({ q: 'status:active nonsense:1' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { validations: [{ field: 'nonsense' }] },
    });
  });
});

describe('appearance', () => {
  it('changes for oneself, is recorded, and an absent field changes nothing', async () => {
    const member = await rows.user({ memberOf: [organization.id] });
    expect(await callAsUser(member.id).users.updateAppearance({ user: 'me', theme_preference: 'dark' })).toMatchObject({
      theme_preference: 'dark',
    });
    expect(await callAsUser(member.id).users.updateAppearance({ user: 'me' })).toMatchObject({ theme_preference: 'dark' });
    await expect(callAsUser(member.id).users.updateAppearance({ user: 'me', theme_preference: ' ' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    const row = await prisma.auditLog.findFirstOrThrow({
      where: { resourceId: member.id, action: 'write', statusCode: 200 },
      orderBy: { time: 'asc' },
    });
    expect(row.diff).toEqual({ theme_preference: { old: '', new: 'dark', secret: false } });
  });

  it('of another is refused with 403 to who may read them, 404 to who may not; the attempt is recorded', async () => {
    const user = await rows.user();
    const auditor = await rows.user({ siteRoles: ['auditor'] });
    await expect(callAsUser(auditor.id).users.updateAppearance({ user: user.username, theme_preference: 'dark' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await prisma.auditLog.findFirst({ where: { userId: auditor.id, statusCode: 403 } })).toMatchObject({
      resourceId: user.id,
      diff: {},
    });
    const member = await rows.user({ memberOf: [organization.id] });
    await expect(callAsUser(member.id).users.updateAppearance({ user: user.username, theme_preference: 'dark' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
