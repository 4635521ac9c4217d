import { newId } from '@berth/core';
import { tokenMatches } from '@berth/core/secrets';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi, TEST_SETTINGS } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);
const owner = await rows.user({ siteRoles: ['owner'] });
const member = await rows.user();
const api = callAsUser(owner.id).workspaceProxies;

function tokenOf(proxy: { proxy_token?: string | undefined }): { id: string; secret: string } {
  const [id = '', secret = ''] = (proxy.proxy_token ?? '').split(':');
  return { id, secret };
}

async function auditsOf(resourceId: string) {
  return await prisma.auditLog.findMany({ where: { resourceId, resourceType: 'workspace_proxy' }, orderBy: { time: 'asc' } });
}

describe('create', () => {
  it('answers the proxy itself and its token, of which only a hash is kept and nothing is recorded', async () => {
    const proxy = await api.create({ name: 'sydney', display_name: 'Sydney', icon: '/au.svg' });
    expect(proxy).toMatchObject({
      name: 'sydney',
      display_name: 'Sydney',
      icon_url: '/au.svg',
      deleted: false,
      derp_enabled: true,
      derp_only: false,
      healthy: false,
      version: '',
      path_app_url: '',
      wildcard_hostname: '',
      status: { status: 'unregistered', checked_at: null, report: { errors: [], warnings: [] } },
    });
    const { id, secret } = tokenOf(proxy);
    expect(id).toBe(proxy.id);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const row = await prisma.workspaceProxy.findUniqueOrThrow({ where: { id } });
    expect(tokenMatches(secret, row.hashedSecret)).toBe(true);
    expect(await api.get({ workspaceproxy: id })).not.toHaveProperty('proxy_token');
    const [audit] = await auditsOf(id);
    expect(audit).toMatchObject({ action: 'create', statusCode: 201, resourceTarget: 'sydney', resourceIcon: '/au.svg' });
    expect(audit?.diff).toMatchObject({ token_hashed_secret: { old: '', new: '', secret: true }, name: { old: '', new: 'sydney' } });
  });

  it('refuses the built-in name, a name that looks like an id, and a taken one in any case', async () => {
    await api.create({ name: 'lima' });
    for (const name of ['', ' x', 'Primary', newId()]) {
      await expect(api.create({ name })).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: { issues: [{ path: ['name'] }] } });
    }
    await expect(api.create({ name: 'LIMA' })).rejects.toMatchObject({ code: 'CONFLICT', cause: { validations: [{ field: 'name' }] } });
  });
});

describe('update', () => {
  it('changes what is given, leaves the rest, and records the difference', async () => {
    const made = await api.create({ name: 'oslo', display_name: 'Oslo', icon: '/no.svg' });
    const changed = await api.update({ workspaceproxy: 'Oslo', id: made.id, display_name: 'Oslo, Norway' });
    expect(changed).toMatchObject({ id: made.id, name: 'oslo', display_name: 'Oslo, Norway', icon_url: '/no.svg' });
    expect(changed).not.toHaveProperty('proxy_token');
    expect((await auditsOf(made.id)).at(-1)).toMatchObject({
      action: 'write',
      diff: { display_name: { old: 'Oslo', new: 'Oslo, Norway', secret: false } },
    });
    await expect(api.update({ workspaceproxy: made.id, id: newId() })).rejects.toMatchObject({ cause: { validations: [{ field: 'id' }] } });
  });

  it('makes a new token on demand, and the former one useless', async () => {
    const made = await api.create({ name: 'tokyo' });
    const changed = await api.update({ workspaceproxy: made.id, regenerate_token: true });
    const { hashedSecret } = await prisma.workspaceProxy.findUniqueOrThrow({ where: { id: made.id } });
    expect(tokenMatches(tokenOf(changed).secret, hashedSecret)).toBe(true);
    expect(tokenMatches(tokenOf(made).secret, hashedSecret)).toBe(false);
    expect((await auditsOf(made.id)).at(-1)?.diff).toEqual({ token_hashed_secret: { old: '', new: '', secret: true } });
  });

  it('refuses a taken or reserved name', async () => {
    await api.create({ name: 'rome' });
    const made = await api.create({ name: 'bern' });
    await expect(api.update({ workspaceproxy: made.id, name: 'Rome' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(api.update({ workspaceproxy: made.id, name: 'primary' })).rejects.toMatchObject({
      cause: { validations: [{ field: 'name' }] },
    });
    expect((await auditsOf(made.id)).map((audit) => audit.statusCode)).toEqual([201, 409, 400]);
  });
});

describe('delete', () => {
  it('hides the proxy, frees its name and is recorded', async () => {
    const made = await api.create({ name: 'cairo' });
    expect(await api.delete({ workspaceproxy: 'cairo' })).toMatchObject({ message: expect.stringContaining('cairo') });
    await expect(api.get({ workspaceproxy: made.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api.delete({ workspaceproxy: made.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await api.list({}))[0]?.regions.map((proxy) => proxy.id)).not.toContain(made.id);
    await expect(api.create({ name: 'cairo' })).resolves.toMatchObject({ name: 'cairo' });
    expect((await auditsOf(made.id)).at(-1)).toMatchObject({ action: 'delete', diff: { name: { old: 'cairo', new: '' } } });
  });
});

describe('the primary proxy', () => {
  it('is the server itself: first in the list, always well, found by name and by deployment id', async () => {
    const [{ regions } = { regions: [] }] = await api.list({});
    expect(regions[0]).toMatchObject({
      id: TEST_SETTINGS.deploymentId,
      name: 'primary',
      healthy: true,
      path_app_url: TEST_SETTINGS.accessUrl,
      status: { status: 'ok' },
    });
    for (const workspaceproxy of ['primary', 'PRIMARY', TEST_SETTINGS.deploymentId]) {
      expect(await api.get({ workspaceproxy })).toMatchObject({ id: TEST_SETTINGS.deploymentId });
    }
  });

  it('can be shown otherwise, but not be renamed, deleted or given a token', async () => {
    expect(await api.get({ workspaceproxy: 'primary' })).toMatchObject({ display_name: 'Default', icon_url: '' });
    const changed = await api.update({ workspaceproxy: 'primary', name: 'primary', display_name: 'Home', icon: '/home.svg' });
    expect(changed).toMatchObject({ display_name: 'Home', icon_url: '/home.svg' });
    expect(await api.update({ workspaceproxy: 'primary', icon: '' })).toMatchObject({ display_name: 'Home', icon_url: '' });
    const refusals = [
      api.update({ workspaceproxy: 'primary', name: 'other' }),
      api.update({ workspaceproxy: 'primary', regenerate_token: true }),
      api.update({ workspaceproxy: 'primary' }),
      api.delete({ workspaceproxy: 'primary' }),
    ];
    for (const result of await Promise.allSettled(refusals)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'BAD_REQUEST' } });
    }
  });
});

describe('permissions', () => {
  it('let everyone read and only owners write, and refused attempts are recorded', async () => {
    const made = await api.create({ name: 'quito' });
    const call = callAsUser(member.id).workspaceProxies;
    await expect(call.get({ workspaceproxy: 'quito' })).resolves.toMatchObject({ id: made.id });
    await expect(call.list({})).resolves.toHaveLength(1);
    const refusals = [
      call.create({ name: 'mine' }),
      call.update({ workspaceproxy: 'quito', display_name: 'x' }),
      call.update({ workspaceproxy: 'primary', display_name: 'x' }),
      call.delete({ workspaceproxy: 'quito' }),
      call.delete({ workspaceproxy: 'primary' }),
    ];
    for (const result of await Promise.allSettled(refusals)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'FORBIDDEN' } });
    }
    expect((await auditsOf(made.id)).map((audit) => `${audit.action} ${audit.statusCode}`).toSorted()).toEqual([
      'create 201',
      'delete 403',
      'write 403',
    ]);
  });
});
