import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi, userPrincipal } from '../testing/index.ts';

const { prisma, callAs, callAsUser, countStatements } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const member = await rows.user({ memberOf: [organization.id] });
const owner = await rows.user({ siteRoles: ['owner'] });
const { workspace } = await rows.workspace({ organization, owner: member });
const api = callAsUser(member.id).authorization;

type Check = Parameters<typeof api.check>[0]['checks'][string];
const about = (action: string, object: Check['object']): Check => ({ action, object });

describe('check', () => {
  it('answers each question about the caller by its key', async () => {
    expect(
      await api.check({
        checks: {
          own: about('create', { resource_type: 'workspace', owner_id: 'me', organization_id: organization.id }),
          'own, by id': about('create', {
            resource_type: 'workspace',
            owner_id: member.id.toUpperCase(),
            organization_id: organization.id,
          }),
          others: about('create', { resource_type: 'workspace', owner_id: owner.id, organization_id: organization.id }),
          elsewhere: about('create', { resource_type: 'workspace', owner_id: 'me', organization_id: newId() }),
          anywhere: about('create', { resource_type: 'workspace', owner_id: 'me', any_org: true }),
          site: about('read', { resource_type: 'audit_log' }),
        },
      }),
    ).toEqual({ own: true, 'own, by id': true, others: false, elsewhere: false, anywhere: true, site: false });
  });

  it('takes owner, organization and lists of what is named by its id, whatever the question says of it', async () => {
    const { template } = await rows.template({ organization, userAcl: { [member.id]: ['update'] } });
    const group = await rows.group({ organizationId: organization.id, memberIds: [member.id] });
    const { workspace: foreign } = await rows.workspace({ organization });
    const { workspace: dormant } = await rows.workspace({ organization, owner: member, dormantAt: new Date() });
    expect(
      await api.check({
        checks: {
          mine: about('ssh', { resource_type: 'workspace', resource_id: workspace.id, owner_id: owner.id, organization_id: newId() }),
          asleep: about('ssh', { resource_type: 'workspace', resource_id: dormant.id }),
          foreign: about('read', { resource_type: 'workspace', resource_id: foreign.id, owner_id: 'me' }),
          template: about('update', { resource_type: 'template', resource_id: template.id.toUpperCase() }),
          group: about('read', { resource_type: 'group', resource_id: group.id }),
          self: about('update_personal', { resource_type: 'user', resource_id: member.id }),
          gone: about('read', { resource_type: 'user', resource_id: newId() }),
        },
      }),
    ).toEqual({ mine: true, asleep: false, foreign: false, template: true, group: true, self: true, gone: false });
  });

  it('is never more than the credential in use', async () => {
    const principal = await userPrincipal(prisma, member.id);
    if (principal.kind !== 'user') throw new Error('not a user');
    const narrow = callAs({ ...principal, subject: { ...principal.subject, scope: 'read_only' } }).authorization;
    const object = { resource_type: 'workspace', resource_id: workspace.id };
    expect(await narrow.check({ checks: { read: about('read', object), start: about('start', object) } })).toEqual({
      read: true,
      start: false,
    });
  });

  it('says a plain no to words that nobody knows', async () => {
    const checks = {
      type: about('read', { resource_type: 'spaceship' }),
      action: about('fly', { resource_type: 'workspace', owner_id: 'me' }),
    };
    expect(await callAsUser(owner.id).authorization.check({ checks })).toEqual({ type: false, action: false });
    expect(await api.check({ checks: {} })).toEqual({});
  });

  it('refuses ids that are none, ids of what has no row here, and too many', async () => {
    const refusal = api.check({
      checks: {
        a: about('read', { resource_type: 'workspace', resource_id: 'x' }),
        b: about('read', { resource_type: 'license', resource_id: newId() }),
        c: about('read', { resource_type: 'user', resource_id: '' }),
      },
    });
    await expect(refusal).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { validations: [{ field: 'checks.a.object.resource_id' }, { field: 'checks.b.object.resource_id' }] },
    });
    const many = (count: number, object: Check['object']) =>
      api.check({ checks: Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index), about('read', object)])) });
    const named = { resource_type: 'workspace', resource_id: workspace.id };
    expect(Object.keys(await many(10, named))).toHaveLength(10);
    await expect(many(11, named)).rejects.toMatchObject({ cause: { validations: [{ field: 'checks' }] } });
    expect(Object.keys(await many(100, { resource_type: 'user' }))).toHaveLength(100);
    await expect(many(101, { resource_type: 'user' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('reads the rows of one type by one statement, however many there are', async () => {
    const ids = [
      workspace.id,
      ...(await Promise.all([1, 2, 3].map(() => rows.workspace({ organization, owner: member })))).map((one) => one.workspace.id),
    ];
    const statements = (count: number) =>
      countStatements(() =>
        api.check({
          checks: Object.fromEntries(ids.slice(0, count).map((id) => [id, about('read', { resource_type: 'workspace', resource_id: id })])),
        }),
      );
    expect(await statements(4)).toBe(await statements(1));
  });
});
