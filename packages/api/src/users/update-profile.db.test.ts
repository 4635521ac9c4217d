import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, services, callAsUser, keyOf } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const admin = await rows.user({ siteRoles: ['user-admin'] });
const newMember = () => rows.user({ memberOf: [organization.id] });

describe('a profile', () => {
  it('is changed by its owner, and the former user name is free at once', async () => {
    const user = await newMember();
    const key = await keyOf(user.id);
    await services.authenticator.byToken(key, '');
    const username = uniqueName('renamed');
    expect(await callAsUser(user.id).users.updateProfile({ user: 'me', username, name: 'Ada Lovelace' })).toMatchObject({
      id: user.id,
      username,
      name: 'Ada Lovelace',
      email: user.email,
    });
    expect(await services.authenticator.byToken(key, '')).toMatchObject({ username });
    const other = await newMember();
    await expect(callAsUser(other.id).users.updateProfile({ user: 'me', username: user.username })).resolves.toBeDefined();
    const row = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: user.id } });
    expect(row.diff).toEqual({
      username: { old: user.username, new: username, secret: false },
      name: { old: '', new: 'Ada Lovelace', secret: false },
    });
  });

  it('keeps what is absent, and may change the case of its name', async () => {
    const user = await rows.user({ memberOf: [organization.id], name: 'Ada' });
    const username = user.username.toUpperCase();
    expect(await callAsUser(user.id).users.updateProfile({ user: 'me', username })).toMatchObject({ username, name: 'Ada' });
    expect(await callAsUser(user.id).users.updateProfile({ user: 'me', name: '' })).toMatchObject({ username, name: '' });
    expect(await callAsUser(user.id).users.updateProfile({ user: 'me' })).toMatchObject({ username, name: '' });
  });

  it('takes no name of another account, whatever its case, also when two ask at once', async () => {
    const [user, other] = [await newMember(), await newMember()];
    await expect(callAsUser(user.id).users.updateProfile({ user: 'me', username: other.username.toUpperCase() })).rejects.toMatchObject({
      code: 'CONFLICT',
      cause: { validations: [{ field: 'username' }] },
    });
    const username = uniqueName('wanted');
    const both = await Promise.allSettled([user, other].map(({ id }) => callAsUser(id).users.updateProfile({ user: 'me', username })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
  });

  it('names every broken field at once', async () => {
    const user = await newMember();
    const refusal: unknown = await callAsUser(user.id)
      .users.updateProfile({ user: 'me', username: 'no spaces', name: ' Ada ' })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', cause: { issues: [{ path: ['username'] }, { path: ['name'] }] } });
    for (const username of ['', 'new', 'a'.repeat(33), '-a', 'a--b']) {
      await expect(callAsUser(user.id).users.updateProfile({ user: 'me', username }), username).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    }
  });

  it('of another is for administrators with all of their rights', async () => {
    const user = await newMember();
    await expect(callAsUser(admin.id).users.updateProfile({ user: user.id, name: 'Bob' })).resolves.toMatchObject({ name: 'Bob' });
    const strong = await rows.user({ siteRoles: ['owner'] });
    await expect(callAsUser(admin.id).users.updateProfile({ user: strong.id, name: 'Bob' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const stranger = await newMember();
    await expect(callAsUser(stranger.id).users.updateProfile({ user: user.id, name: 'Eve' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
