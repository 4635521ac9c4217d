import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const make = given(prisma);

type Made = Awaited<ReturnType<typeof make.template>>;
let organization: Made['organization'];
let template: Made['template'];
let active: Made['version'];
let adminId: string;
let memberId: string;

beforeEach(async () => {
  organization = await make.organization();
  adminId = (await make.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-template-admin'] }] })).id;
  memberId = (await make.user({ memberOf: [organization.id] })).id;
  const createdAt = new Date('2026-01-01T00:00:00Z');
  ({ template, version: active } = await make.template({ organization }));
  active = await prisma.templateVersion.update({ where: { id: active.id }, data: { createdAt } });
});

const versions = () => callAsUser(adminId).templateVersions;
const asMember = () => callAsUser(memberId).templateVersions;
const another = async (overrides: Parameters<typeof make.version>[0] = {}) =>
  (await make.version({ organization, templateId: template.id, ...overrides })).version;
const isArchived = async (id: string) => (await prisma.templateVersion.findUniqueOrThrow({ where: { id } })).archived;
const auditRows = () =>
  prisma.auditLog.findMany({ where: { organizationId: organization.id, resourceType: 'template_version' }, orderBy: { time: 'asc' } });

describe('a change of name or message', () => {
  test('keeps what is absent, and is recorded', async () => {
    const changed = await versions().update({ templateversion: active.id, name: 'v1.0', message: 'first' });
    expect(changed).toMatchObject({ id: active.id, name: 'v1.0', message: 'first' });
    expect(await versions().update({ templateversion: active.id, name: '' })).toMatchObject({ name: 'v1.0', message: 'first' });
    expect((await auditRows())[0]).toMatchObject({
      action: 'write',
      resourceTarget: 'v1.0',
      diff: { name: { old: active.name, new: 'v1.0' } },
    });
  });

  test('is refused for a name that another version of the template has', async () => {
    const other = await another();
    await expect(versions().update({ templateversion: other.id, name: active.name })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(versions().update({ templateversion: other.id, name: 'no spaces' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('and every other change of a version is forbidden to those who may only read it', async () => {
    const input = { templateversion: active.id };
    await expect(asMember().update({ ...input, name: 'mine' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(asMember().archive(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(asMember().unarchive(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(asMember().archiveUnused({ template: template.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('archiving', () => {
  test('leaves a version out of the list until it is brought back, each once', async () => {
    const { id } = await another();
    await versions().archive({ templateversion: id });
    expect((await versions().list({ template: template.id })).map((version) => version.id)).toEqual([active.id]);
    await expect(versions().archive({ templateversion: id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await versions().unarchive({ templateversion: id });
    expect((await versions().list({ template: template.id })).map((version) => version.id)).toEqual([active.id, id]);
    await expect(versions().unarchive({ templateversion: id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect((await auditRows()).map(({ statusCode, diff }) => [statusCode, diff])).toEqual([
      [200, { archived: { old: false, new: true, secret: false } }],
      [400, {}],
      [200, { archived: { old: true, new: false, secret: false } }],
      [400, {}],
    ]);
  });

  test('is refused for the active version, one in use, one being imported, and one without a template', async () => {
    const used = await another();
    const { workspace } = await make.workspace({ organization, template });
    await make.build({ workspace, templateVersionId: used.id });
    const loose = (await make.version({ organization })).version;
    for (const { id } of [active, used, await another({ status: 'running' }), loose]) {
      await expect(versions().archive({ templateversion: id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      expect(await isArchived(id)).toBe(false);
    }
    await make.build({ workspace, templateVersionId: used.id, transition: 'delete' });
    await versions().archive({ templateversion: used.id });
  });

  test('of what is unused takes failed imports, and with `all` every ended one', async () => {
    const [failed, fine] = [await another({ status: 'failed' }), await another()];
    const running = await another({ status: 'running' });
    const input = { template: template.id };
    expect(await versions().archiveUnused(input)).toMatchObject({ template_id: template.id, archived_ids: [failed.id] });
    expect(await versions().archiveUnused({ ...input, all: true })).toMatchObject({ archived_ids: [fine.id] });
    expect(await versions().archiveUnused({ ...input, all: true })).toMatchObject({ archived_ids: [] });
    expect([await isArchived(active.id), await isArchived(running.id)]).toEqual([false, false]);
    expect((await auditRows()).map(({ resourceId }) => resourceId)).toEqual([failed.id, fine.id]);
  });
});

describe('by name', () => {
  const names = (version: string) => ({
    organization: organization.name,
    templatename: template.name.toUpperCase(),
    templateversionname: version,
  });

  test('a version is found through its template and through its organization', async () => {
    const [byTemplate] = await asMember().listByName({ template: template.id, templateversionname: active.name });
    expect(byTemplate).toMatchObject({ id: active.id });
    expect(await asMember().getByNames(names(active.name))).toEqual(byTemplate);
  });

  test('the version before another one is found, and there is none before the first', async () => {
    const second = await another();
    expect(await asMember().getPrevious(names(second.name))).toMatchObject({ id: active.id });
    await expect(asMember().getPrevious(names(active.name))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('what does not exist and what is hidden answer alike', async () => {
    const hidden = await make.template({ organization, groupAcl: {} });
    const asked = { template: hidden.template.id, templateversionname: hidden.version.name };
    await expect(asMember().listByName(asked)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(asMember().listByName({ ...asked, template: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
