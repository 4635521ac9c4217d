import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createScimServer, refusal, somebody } from '../testing/scim/client.ts';
import { patch } from '../testing/scim/forms.ts';

const server = await createScimServer();
const { create, keyOf, prisma, scim } = server;
const rows = given(prisma);
const standard = await prisma.organization.findFirstOrThrow({ where: { isDefault: true } });

describe('groups', () => {
  const group = (displayName: string, members: string[] = []) => ({
    schemas: [],
    displayName,
    members: members.map((value) => ({ value })),
  });

  it('with a name that the organization has are a conflict, also with groups that people made', async () => {
    const local = await rows.group({ organizationId: standard.id });
    expect(await scim('POST', '/Groups', group(local.name.toUpperCase()))).toMatchObject(refusal(409, 'uniqueness'));
    expect(await scim('POST', '/Groups', group('Everyone'))).toMatchObject(refusal(409, 'uniqueness'));
    expect(await scim('POST', '/Groups', group('Deck Crew'))).toMatchObject({ status: 201 });
    expect(await scim('POST', '/Groups', group('deck crew'))).toMatchObject(refusal(409, 'uniqueness'));
    expect(await scim('POST', '/Groups', group('Deck-Crew!'))).toMatchObject({ status: 201, body: { displayName: 'Deck-Crew!' } });
  });

  it('that people made, of other organizations, and Everyone are not there', async () => {
    const elsewhere = await rows.organization();
    const hidden = [
      (await rows.group({ organizationId: standard.id })).id,
      (await rows.group({ organizationId: elsewhere.id, source: 'oidc' })).id,
      standard.id,
    ];
    for (const id of hidden) {
      expect(await scim('GET', `/Groups/${id}`)).toMatchObject(refusal(404));
      expect(await scim('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: [] }).body)).toMatchObject(refusal(404));
      expect(await scim('DELETE', `/Groups/${id}`)).toMatchObject(refusal(404));
    }
  });

  it('take members of the organization only, and no more than 1,000 at once', async () => {
    const made = await scim('POST', '/Groups', group('Bounded'));
    const path = `/Groups/${made.body['id'] ?? ''}`;
    const stranger = await rows.user();
    const add = (...ids: string[]) =>
      scim('PATCH', path, patch({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) }).body);
    expect(await add(stranger.id)).toMatchObject(refusal(400, 'invalidValue'));
    expect(await add('no id')).toMatchObject(refusal(400, 'invalidValue'));
    expect(await add(...Array.from({ length: 1001 }, () => newId()))).toMatchObject(refusal(413, 'tooMany'));
    expect(await scim('GET', path)).toMatchObject({ body: { members: [] } });
  });

  it('are replaced whole by PUT, and lose all members by a removal without a value', async () => {
    const [one, two] = [await create(somebody()), await create(somebody())];
    const made = await scim('POST', '/Groups', group('Replaced', [one]));
    expect(made).toMatchObject({ status: 201, body: { members: [{ value: one }] } });
    const path = `/Groups/${made.body['id'] ?? ''}`;
    expect(await scim('PUT', path, group('Replaced', [two]))).toMatchObject({ status: 200, body: { members: [{ value: two }] } });
    expect((await scim('GET', `/Groups?filter=${encodeURIComponent(`members[value eq "${two}"]`)}`)).body).toMatchObject({
      totalResults: 1,
    });
    expect(await scim('PATCH', path, patch({ op: 'remove', path: 'members' }).body)).toMatchObject({ status: 200, body: { members: [] } });
    expect(await scim('PUT', path, { schemas: [] })).toMatchObject(refusal(400, 'invalidValue'));
  });

  it('give and take what their members may do at once', async () => {
    const id = await create(somebody());
    const made = await scim('POST', '/Groups', group('Readers', [id]));
    const groupId: string = made.body['id'] ?? '';
    const key = await keyOf(id);
    const reads = async () => (await server.rest({ method: 'GET', path: `/groups/${groupId}`, key })).status;
    expect(await reads()).toBe(200);
    await scim('PATCH', `/Groups/${groupId}`, patch({ op: 'remove', path: `members[value eq "${id}"]` }).body);
    expect(await reads()).toBe(404);
  });
});
