import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { authChannel } from '../kernel/channels.ts';
import { createTestApi } from '../testing/index.ts';

const { prisma, bus, callAsUser } = await createTestApi();
const rows = given(prisma);
const owner = await rows.user({ siteRoles: ['owner'] });
const api = callAsUser(owner.id).organizations;

/** The users whose rights are announced while `work` runs. */
async function announcedBy(work: () => Promise<unknown>): Promise<string[]> {
  const heard: string[] = [];
  const stop = bus.subscribe(authChannel, ({ user_id }) => heard.push(user_id));
  // News comes in the order in which it was sent: what came before the mark is of earlier work.
  const mark = async (): Promise<void> => {
    const id = uniqueName('mark');
    const isThere = bus.waitFor(authChannel, ({ user_id }) => user_id === id, { timeoutMs: 5000 });
    await bus.publish(prisma, authChannel, { user_id: id });
    await isThere;
  };
  await mark();
  const before = heard.length;
  await work();
  await mark();
  stop();
  return heard.slice(before, -1).toSorted();
}

describe('create', () => {
  it('answers the organization, with its Everyone group, and its maker as a plain member', async () => {
    const name = uniqueName('org');
    const made = await api.create({ name, description: 'Boats', icon: '/boat.svg' });
    expect(made).toMatchObject({ name, display_name: name, description: 'Boats', icon: '/boat.svg', is_default: false });
    expect(await prisma.group.findUniqueOrThrow({ where: { id: made.id } })).toMatchObject({ name: 'Everyone', organizationId: made.id });
    const members = await prisma.organizationMember.findMany({ where: { organizationId: made.id } });
    expect(members).toMatchObject([{ userId: owner.id, roles: [] }]);
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: made.id } });
    expect(audit).toMatchObject({
      action: 'create',
      resourceType: 'organization',
      organizationId: made.id,
      resourceTarget: name,
      statusCode: 201,
    });
  });

  it('makes the id itself: ids are made by the server', async () => {
    const chosen = { id: owner.id, name: uniqueName('org') };
    expect((await api.create(chosen)).id).not.toBe(owner.id);
  });

  it('tells every process what its maker may do now', async () => {
    expect(await announcedBy(() => api.create({ name: uniqueName('org') }))).toEqual([owner.id]);
  });

  it.each(['', 'new', 'default', 'two words', '-dash', 'x'.repeat(33)])('refuses the name "%s"', async (name) => {
    await expect(api.create({ name })).rejects.toMatchObject({ code: 'BAD_REQUEST', cause: { issues: [{ path: ['name'] }] } });
  });

  it('of a name that is taken, in any case, is a conflict that names the field', async () => {
    const { name } = await api.create({ name: uniqueName('org') });
    await expect(api.create({ name: name.toUpperCase() })).rejects.toMatchObject({
      code: 'CONFLICT',
      cause: { validations: [{ field: 'name' }] },
    });
  });

  it('is for owners, and the attempt of anyone else is recorded', async () => {
    const admin = await rows.user({ siteRoles: ['user-admin'] });
    const name = uniqueName('org');
    await expect(callAsUser(admin.id).organizations.create({ name })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await prisma.auditLog.findFirstOrThrow({ where: { resourceTarget: name } })).toMatchObject({ statusCode: 403, diff: {} });
  });
});

describe('update', () => {
  it('changes what is given and keeps what is absent or an empty name', async () => {
    const organization = await rows.organization({ description: 'Boats', icon: '/boat.svg', updatedAt: new Date(0) });
    const name = uniqueName('org');
    const changed = await api.update({ organization: organization.name, name });
    expect(changed).toMatchObject({ name, display_name: organization.displayName, description: 'Boats', icon: '/boat.svg' });
    expect(Date.parse(changed.updated_at)).toBeGreaterThan(organization.updatedAt.getTime());
    expect(await api.update({ organization: name, name: '', display_name: '', description: '', icon: '' })).toMatchObject({
      name,
      display_name: organization.displayName,
      description: '',
      icon: '',
    });
    const audit = await prisma.auditLog.findFirstOrThrow({
      where: { resourceId: organization.id, action: 'write' },
      orderBy: { time: 'asc' },
    });
    expect(audit.diff).toMatchObject({ name: { old: organization.name, new: name } });
  });

  it('holds a new name to the rules, and lets the default organization keep its reserved one', async () => {
    const [organization, other] = [await rows.organization(), await rows.organization()];
    for (const name of ['default', 'new', 'a b']) {
      await expect(api.update({ organization: organization.id, name })).rejects.toMatchObject({
        cause: { validations: [{ field: 'name' }] },
      });
    }
    await expect(api.update({ organization: organization.id, name: other.name })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await api.update({ organization: 'default', name: 'default', icon: '/home.svg' })).toMatchObject({ name: 'default' });
  });
});

describe('delete', () => {
  it('removes the organization and everything in it, and tells every process about each former member', async () => {
    const organization = await rows.organization();
    const member = await rows.user({ memberOf: [organization.id] });
    const group = await rows.group({ organizationId: organization.id, memberIds: [member.id] });
    const { template, createdBy } = await rows.template({ organization });
    const loose = await rows.version({ organization, createdBy });
    await rows.role({ organizationId: organization.id });
    await prisma.provisionerKey.create({
      data: { id: group.id, organizationId: organization.id, name: 'key', hashedSecret: new TextEncoder().encode(group.id), tags: {} },
    });
    const announced = await announcedBy(() => api.delete({ organization: organization.id }));
    expect(announced).toEqual([member.id, createdBy.id].toSorted());
    const ofOrganization = { where: { organizationId: organization.id } };
    expect(await prisma.organization.count({ where: { id: organization.id } })).toBe(0);
    for (const count of [
      prisma.organizationMember.count(ofOrganization),
      prisma.group.count(ofOrganization),
      prisma.template.count(ofOrganization),
      prisma.templateVersion.count(ofOrganization),
      prisma.provisionerJob.count(ofOrganization),
      prisma.provisionerKey.count(ofOrganization),
      prisma.customRole.count(ofOrganization),
    ]) {
      expect(await count).toBe(0);
    }
    expect([template.id, loose.version.id]).toHaveLength(2);
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceId: organization.id, action: 'delete' } });
    expect(audit).toMatchObject({ statusCode: 200, resourceTarget: organization.name });
    expect(audit.diff).toMatchObject({ name: { old: organization.name, new: '' } });
  });

  it('of the default organization is refused', async () => {
    await expect(api.delete({ organization: 'default' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('of one with workspaces is a conflict that counts them, the deleted ones too', async () => {
    const organization = await rows.organization();
    const { template } = await rows.template({ organization });
    await rows.workspace({ organization, template });
    await rows.workspace({ organization, template, deleted: true });
    await expect(api.delete({ organization: organization.id })).rejects.toMatchObject({
      code: 'CONFLICT',
      cause: { detail: 'It has 1 workspace, and 1 deleted one is still on record.' },
    });
    expect(await prisma.template.count({ where: { id: template.id } })).toBe(1);
  });
});
