import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);
const [first, second] = [await rows.organization({ name: 'aa-first' }), await rows.organization({ name: 'bb-second' })];
const user = await rows.user({ memberOf: [second.id, first.id] });

describe('the organizations of a user', () => {
  it('are listed by name, those that the caller may read', async () => {
    const owner = await rows.user({ siteRoles: ['owner'] });
    const admin = await rows.user({ memberOf: [{ organizationId: second.id, roles: ['organization-admin'] }] });
    const names = async (caller: { id: string }, of: string) =>
      (await callAsUser(caller.id).users.organizations({ user: of })).map(({ name }) => name);
    expect(await names(user, 'me')).toEqual(['aa-first', 'bb-second']);
    expect(await names(owner, user.username)).toEqual(['aa-first', 'bb-second']);
    expect(await names(admin, user.id)).toEqual(['bb-second']);
    expect(await names(owner, 'me')).toEqual([]);
  });

  it('are found by name in any case; one of others is not, whether it exists or not', async () => {
    const owner = await rows.user({ siteRoles: ['owner'] });
    const get = (caller: { id: string }, organizationname: string) =>
      callAsUser(caller.id).users.organizationByName({ user: user.id, organizationname });
    expect(await get(user, 'AA-FIRST')).toMatchObject({ id: first.id, name: 'aa-first' });
    await rows.organization({ name: 'cc-third' });
    for (const name of ['cc-third', 'no-such-name', '%']) {
      await expect(get(owner, name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(get(user, name)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('the login type', () => {
  it('is shown to the user alone', async () => {
    expect(await callAsUser(user.id).users.loginType({ user: 'me' })).toEqual({ login_type: 'password' });
    const owner = await rows.user({ siteRoles: ['owner'] });
    await expect(callAsUser(owner.id).users.loginType({ user: user.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
