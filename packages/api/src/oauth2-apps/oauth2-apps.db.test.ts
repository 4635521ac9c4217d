import { newId } from '@berth/core';
import { tokenMatches } from '@berth/core/secrets';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);
const owner = await rows.user({ siteRoles: ['owner'] });
const member = await rows.user();
const api = callAsUser(owner.id).oauth2Apps;
const callbackUrl = 'https://app.example.com/callback';

describe('an application', () => {
  it('is created, read, listed, changed and deleted, and each change is recorded', async () => {
    const app = await api.create({ name: 'compass', callback_url: callbackUrl, icon: '/compass.svg' });
    expect(app).toEqual({
      id: expect.any(String),
      name: 'compass',
      callback_url: callbackUrl,
      icon: '/compass.svg',
      client_type: 'confidential',
      endpoints: {
        authorization: 'http://berth.test/oauth2/authorize',
        token: 'http://berth.test/oauth2/tokens',
        device_authorization: 'http://berth.test/oauth2/device',
      },
    });
    expect(await api.get({ app: app.id })).toEqual(app);
    expect(await api.list({})).toContainEqual(app);
    expect(await api.list({ user_id: owner.id })).toEqual([]);
    const changed = await api.update({ app: app.id, callback_url: 'http://localhost:8080/back' });
    expect(changed).toEqual({ ...app, callback_url: 'http://localhost:8080/back' });
    await api.delete({ app: app.id });
    await expect(api.get({ app: app.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const audits = await prisma.auditLog.findMany({ where: { resourceId: app.id }, orderBy: { time: 'asc' } });
    expect(audits.map((audit) => [audit.action, audit.resourceTarget, audit.statusCode])).toEqual([
      ['create', 'compass', 200],
      ['write', 'compass', 200],
      ['delete', 'compass', 204],
    ]);
    expect(audits[1]?.diff).toEqual({ callback_url: { old: callbackUrl, new: 'http://localhost:8080/back', secret: false } });
  });

  it.each([
    '',
    'example.com',
    '/callback',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'https://u:p@example.com',
    'https://example.com/#x',
  ])('refuses the callback URL "%s"', async (text) => {
    const refusal = { code: 'BAD_REQUEST', cause: { issues: [{ path: ['callback_url'] }] } };
    await expect(api.create({ name: 'bad', callback_url: text })).rejects.toMatchObject(refusal);
    const app = await prisma.oAuth2ProviderApp.create({ data: { id: newId(), name: newId(), callbackUrl } });
    await expect(api.update({ app: app.id, callback_url: text })).rejects.toMatchObject(refusal);
  });

  it('has a name of its own', async () => {
    const app = await api.create({ name: 'sextant', callback_url: callbackUrl });
    const other = await api.create({ name: 'Sextant', callback_url: callbackUrl });
    const taken = { code: 'CONFLICT', cause: { validations: [{ field: 'name' }] } };
    await expect(api.create({ name: 'sextant', callback_url: callbackUrl })).rejects.toMatchObject(taken);
    await expect(api.update({ app: other.id, name: 'sextant' })).rejects.toMatchObject(taken);
    await expect(api.update({ app: app.id, name: 'sextant' })).resolves.toMatchObject({ name: 'sextant' });
  });
});

describe('a secret', () => {
  it('is shown once; later only its end, and its hash is all that is kept', async () => {
    const app = await api.create({ name: 'lantern', callback_url: callbackUrl });
    const [made] = await api.createSecret({ app: app.id });
    const full = made?.client_secret_full ?? '';
    expect(full).toMatch(/^berth_[0-9A-Za-z]{10}_[0-9A-Za-z]{40}$/);
    expect(await api.listSecrets({ app: app.id })).toEqual([{ id: made?.id, last_used_at: null, client_secret_truncated: full.slice(-6) }]);
    const row = await prisma.oAuth2ProviderAppSecret.findUniqueOrThrow({ where: { id: made?.id ?? '' } });
    const [, prefix = '', secret = ''] = full.split('_');
    expect(row.prefix).toBe(prefix);
    expect(tokenMatches(secret, row.hashedSecret)).toBe(true);
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: row.id } });
    expect(audit).toMatchObject({ resourceType: 'oauth2_provider_app_secret', action: 'create', resourceTarget: full.slice(-6), diff: {} });
    expect(JSON.stringify(audit)).not.toContain(secret);
  });

  it('is deleted with its application, and only under it', async () => {
    const [app, other] = [
      await api.create({ name: 'anchor', callback_url: callbackUrl }),
      await api.create({ name: 'rudder', callback_url: callbackUrl }),
    ];
    const [first, second] = [
      (await api.createSecret({ app: app.id }))[0]?.id ?? '',
      (await api.createSecret({ app: app.id }))[0]?.id ?? '',
    ];
    await expect(api.deleteSecret({ app: other.id, secretID: first })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await api.deleteSecret({ app: app.id, secretID: first });
    await expect(api.deleteSecret({ app: app.id, secretID: first })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await api.listSecrets({ app: app.id })).map((secret) => secret.id)).toEqual([second]);
    await api.delete({ app: app.id });
    expect(await prisma.oAuth2ProviderAppSecret.count({ where: { appId: app.id } })).toBe(0);
    await expect(api.listSecrets({ app: app.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('permissions', () => {
  it('let everyone read applications, and only owners change them or see their secrets', async () => {
    const app = await api.create({ name: 'harbour', callback_url: callbackUrl });
    const call = callAsUser(member.id).oauth2Apps;
    await expect(call.get({ app: app.id })).resolves.toMatchObject({ name: 'harbour' });
    await expect(call.list({})).resolves.toContainEqual(app);
    const refusals = [
      call.create({ name: 'x', callback_url: callbackUrl }),
      call.update({ app: app.id, name: 'x' }),
      call.delete({ app: app.id }),
      call.listSecrets({ app: app.id }),
      call.createSecret({ app: app.id }),
      call.deleteSecret({ app: app.id, secretID: newId() }),
      call.delete({ app: newId() }),
    ];
    for (const result of await Promise.allSettled(refusals)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'FORBIDDEN' } });
    }
    const audits = await prisma.auditLog.findMany({ where: { resourceId: app.id, statusCode: 403 } });
    expect(audits.map((audit) => audit.action).toSorted()).toEqual(['delete', 'write']);
  });
});
