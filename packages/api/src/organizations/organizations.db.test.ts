import { newId, NIL_UUID } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);

describe('list', () => {
  it('has the organizations that the caller may read, and no others', async () => {
    const [joined, other] = [await rows.organization(), await rows.organization()];
    const member = await rows.user({ memberOf: [joined.id] });
    const owner = await rows.user({ siteRoles: ['owner'] });
    expect((await callAsUser(member.id).organizations.list({})).map((organization) => organization.id)).toEqual([joined.id]);
    const all = (await callAsUser(owner.id).organizations.list({})).map((organization) => organization.id);
    expect(all).toEqual(expect.arrayContaining([joined.id, other.id]));
    expect(await callAsUser((await rows.user()).id).organizations.list({})).toEqual([]);
  });
});

describe('get', () => {
  it('finds an organization by id and by name in any case, with every field', async () => {
    const organization = await rows.organization({ description: 'Boats', icon: '/boat.svg' });
    const member = await rows.user({ memberOf: [organization.id] });
    for (const param of [organization.id, organization.id.toUpperCase(), organization.name, organization.name.toUpperCase()]) {
      expect(await callAsUser(member.id).organizations.get({ organization: param })).toEqual({
        id: organization.id,
        name: organization.name,
        display_name: organization.displayName,
        description: 'Boats',
        icon: '/boat.svg',
        is_default: false,
        created_at: organization.createdAt.toISOString(),
        updated_at: organization.updatedAt.toISOString(),
      });
    }
  });

  it('takes `default` and the zero UUID for the default one', async () => {
    const standard = await prisma.organization.findFirstOrThrow({ where: { isDefault: true } });
    const member = await rows.user({ memberOf: [standard.id] });
    for (const organization of ['default', 'DEFAULT', NIL_UUID]) {
      expect(await callAsUser(member.id).organizations.get({ organization })).toMatchObject({ id: standard.id, is_default: true });
    }
  });

  it('answers the same for one that is absent, one of others, and a pattern', async () => {
    const hidden = await rows.organization();
    const member = await rows.user({ memberOf: [(await rows.organization()).id] });
    for (const organization of [hidden.id, hidden.name, newId(), 'no-such-name', '%', '_'.repeat(hidden.name.length)]) {
      await expect(callAsUser(member.id).organizations.get({ organization })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
