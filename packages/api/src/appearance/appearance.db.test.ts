import { given } from '@berth/testing';
import { describe, expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const links = [{ name: 'Ask us', target: 'https://chat.example.com', icon: 'chat' as const }];
const api = { docsUrl: 'https://docs.example.com', supportLinks: links };
const { prisma, callAs, callAsUser } = await createTestApi(api);
const other = await createTestApi();
const live = await createTestApi();
const make = given(prisma);
const owner = await make.user({ siteRoles: ['owner'] });
const { appearance } = callAsUser(owner.id);
const anonymous = callAs({ kind: 'anonymous' });

const banner = { enabled: true, message: 'Maintenance on **Sunday**: [plan](https://example.com)', background_color: '#1864ab' };

describe('how the deployment presents itself', () => {
  test('is the product’s own until an owner says otherwise; the settings say where help is', async () => {
    const fresh = other.callAsUser((await given(other.prisma).user({})).id);
    const none = { enabled: false, message: '', background_color: '' };
    await expect(fresh.appearance.get({})).resolves.toEqual({
      application_name: '',
      logo_url: '',
      docs_url: '',
      service_banner: none,
      announcement_banners: [],
      support_links: [],
    });
    await expect(appearance.get({})).resolves.toMatchObject({ docs_url: 'https://docs.example.com', support_links: links });
  });

  test('is changed by an owner, read by every member, and before sign-in only the name and the logo are public', async () => {
    const logo_url = 'https://example.com/logo.svg';
    const changed = await appearance.update({ application_name: ' Harbour ', logo_url, announcement_banners: [banner] });
    expect(changed).toEqual({ application_name: 'Harbour', logo_url, announcement_banners: [banner], service_banner: banner });
    const member = callAsUser((await make.user({})).id);
    await expect(member.appearance.get({})).resolves.toMatchObject(changed);
    await expect(anonymous.appearance.brand({})).resolves.toEqual({ application_name: 'Harbour', logo_url });
    await expect(anonymous.appearance.get({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('keeps every field that a change leaves out, and empties those that are given empty', async () => {
    const logo_url = 'https://example.com/logo.svg';
    const all = await appearance.update({ application_name: 'Harbour', logo_url, announcement_banners: [banner] });
    await expect(appearance.update({})).resolves.toEqual(all);
    await expect(appearance.update({ application_name: 'Port' })).resolves.toEqual({ ...all, application_name: 'Port' });
    await expect(appearance.update({ logo_url: '', announcement_banners: [] })).resolves.toMatchObject({
      application_name: 'Port',
      logo_url: '',
      announcement_banners: [],
    });
  });

  test('is changed by nobody who may not change the deployment, and the attempt is recorded', async () => {
    const auditor = await make.user({ siteRoles: ['auditor'] });
    await expect(callAsUser(auditor.id).appearance.update({ application_name: 'Mine' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const rows = await prisma.auditLog.findMany({ where: { userId: auditor.id, resourceType: 'appearance' } });
    expect(rows).toMatchObject([{ action: 'write', statusCode: 403, diff: {} }]);
  });

  test('refuses logos that are no pictures, colours that are none, links to scripts and too many banners, by their field', async () => {
    const refused = async (input: Parameters<typeof appearance.update>[0]): Promise<void> => {
      await expect(appearance.update(input), JSON.stringify(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    };
    for (const logo_url of [
      'javascript:alert(1)',
      'http://example.com/x.png',
      'data:text/html;base64,PHA+',
      `https://x/${'x'.repeat(65_536)}`,
    ]) {
      await refused({ logo_url });
    }
    for (const background_color of ['', 'red', '#fff', '#12345g', '#123456;position:fixed']) {
      await refused({ announcement_banners: [{ ...banner, background_color }] });
    }
    await refused({ announcement_banners: [{ ...banner, message: '[click](javascript:alert(1))' }] });
    await refused({ announcement_banners: [{ ...banner, message: 'x'.repeat(1001) }] });
    await refused({ announcement_banners: Array.from({ length: 11 }, () => banner) });
    await refused({ application_name: 'x'.repeat(65) });
  });

  test('leaves one row of what changed in the audit log, without the bytes of a picture, and none for no change', async () => {
    const logo_url = `data:image/png;base64,${'A'.repeat(400)}`;
    await appearance.update({ application_name: 'First' });
    const before = await prisma.auditLog.count({ where: { userId: owner.id } });
    await appearance.update({ application_name: 'Second', logo_url });
    await appearance.update({ application_name: 'Second', logo_url });
    const rows = await prisma.auditLog.findMany({ where: { userId: owner.id }, orderBy: { time: 'desc' } });
    expect(rows.length).toBe(before + 1);
    expect(rows[0]).toMatchObject({ resourceType: 'appearance', action: 'write', resourceTarget: 'appearance' });
    expect(rows[0]?.diff).toMatchObject({ application_name: { old: 'First', new: 'Second' } });
    expect(JSON.stringify(rows[0]?.diff)).not.toContain('AAAAAA');
  });
});

describe('watching it', () => {
  const rows = given(live.prisma);

  test('tells a member what it is, and each change as soon as it is made', async () => {
    const [member, administrator] = [await rows.user({}), await rows.user({ siteRoles: ['owner'] })];
    const stream = (await live.callAsUser(member.id).appearance.watch())[Symbol.asyncIterator]();
    await expect(stream.next()).resolves.toMatchObject({ value: { announcement_banners: [] } });
    const news = stream.next();
    await live.callAsUser(administrator.id).appearance.update({ announcement_banners: [banner] });
    await expect(news).resolves.toMatchObject({ value: { announcement_banners: [banner], service_banner: banner } });
    await stream.return?.(undefined);
  });
});
