import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, services, callAs, callAsUser } = await createTestApi();
const rows = given(prisma);
const MAKER = ['api_key:create', 'api_key:read', 'user:read'];

/** A caller that carries this very key. */
async function withKey(key: string) {
  const principal = await services.authenticator.byToken(key, '');
  if (principal === null) throw new Error('the key is not valid');
  return callAs(principal);
}

async function maker(permissions: string[]) {
  const user = await rows.user();
  const { key } = await callAsUser(user.id).tokens.create({ user: 'me', scope: 'limited', permissions });
  return await withKey(key);
}

describe('a limited token', () => {
  it('stores what it may do, each once, and shows it', async () => {
    const user = await rows.user();
    const { tokens } = callAsUser(user.id);
    await tokens.create({
      user: 'me',
      token_name: 'ci',
      scope: 'limited',
      permissions: ['workspace:start', 'workspace:read', 'workspace:read'],
    });
    expect(await tokens.getByName({ user: 'me', keyname: 'CI' })).toMatchObject({
      scope: 'limited',
      permissions: ['workspace:read', 'workspace:start'],
      token_name: 'ci',
    });
  });

  it('names permissions that exist, at least one, and no other scope has any', async () => {
    const user = await rows.user();
    const create = (input: { scope: 'limited' | 'all'; permissions?: string[] }) =>
      callAsUser(user.id)
        .tokens.create({ user: 'me', ...input })
        .catch((error: unknown) => error);
    expect(await create({ scope: 'limited', permissions: ['workspace:read', 'workspace:fly', '*', ''] })).toMatchObject({
      code: 'BAD_REQUEST',
      cause: {
        validations: [
          { field: 'permissions.1', detail: '`workspace:fly` is not a permission' },
          { field: 'permissions.2', detail: '`*` is not a permission' },
          { field: 'permissions.3', detail: '`` is not a permission' },
        ],
      },
    });
    expect(await create({ scope: 'limited' })).toMatchObject({ cause: { validations: [{ field: 'permissions' }] } });
    expect(await create({ scope: 'all', permissions: ['workspace:read'] })).toMatchObject({
      cause: { validations: [{ field: 'permissions' }] },
    });
    expect(await prisma.apiKey.count({ where: { userId: user.id } })).toBe(0);
  });
});

describe('rule: nobody makes a credential that may do more than the one in use', () => {
  it('so a limited key makes its like and narrower ones only', async () => {
    const { tokens } = await maker([...MAKER, 'workspace:read']);
    const create = (input: object) => tokens.create({ user: 'me', ...input });
    await expect(create({})).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(create({ scope: 'read_only' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(create({ scope: 'application_connect' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(create({ scope: 'limited', permissions: ['workspace:read', 'workspace:update'] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(create({ scope: 'limited', permissions: ['workspace:read'] })).resolves.toHaveProperty('key');
  });

  it('so a session made with a limited key is limited as well', async () => {
    const { tokens } = await maker(MAKER);
    const session = await withKey((await tokens.createSession({ user: 'me' })).key);
    const [listed] = (await session.tokens.listSessions({ user: 'me' })).filter(({ is_current }) => is_current);
    expect(listed).toMatchObject({ scope: 'limited', permissions: MAKER.toSorted() });
    await expect(session.tokens.create({ user: 'me' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(session.workspaces.list({})).resolves.toMatchObject({ count: 0 });
  });

  it('so keys for somebody else need all of their rights', async () => {
    const admin = await rows.user({ siteRoles: ['owner'] });
    const name = uniqueName('role');
    await callAsUser(admin.id).roles.createSite({
      name,
      display_name: 'Keys',
      site_permissions: [
        { negate: false, resource_type: 'api_key', action: 'create' },
        { negate: false, resource_type: 'api_key', action: 'delete' },
        { negate: false, resource_type: 'api_key', action: 'read' },
        { negate: false, resource_type: 'user', action: 'read' },
      ],
    });
    const helper = await rows.user({ siteRoles: [name] });
    const member = await rows.user();
    const { tokens } = callAsUser(helper.id);
    await expect(tokens.create({ user: member.id })).resolves.toHaveProperty('key');
    await expect(tokens.create({ user: admin.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(tokens.createSession({ user: admin.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(tokens.deleteAll({ user: admin.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const refused = await prisma.auditLog.findMany({ where: { userId: helper.id, resourceId: admin.id }, select: { statusCode: true } });
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
  });
});

describe('the longest lifetime of a token', () => {
  it('is told, and kept to', async () => {
    const user = await rows.user();
    const { tokens } = callAsUser(user.id);
    const { max_token_lifetime: longest } = await tokens.config({ user: 'me' });
    expect(longest).toBe(876_600 * 3600 * 1e9);
    await expect(tokens.create({ user: 'me', lifetime: longest })).resolves.toHaveProperty('key');
    await expect(tokens.create({ user: 'me', lifetime: longest + 1e12 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(tokens.create({ user: 'me', token_name: 'tokenconfig' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
