import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { Workspace } from './contract.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const siteOwner = await rows.user({ siteRoles: ['owner'], memberOf: [organization.id] });
const { template, version } = await rows.template({
  organization,
  defaultTtlMs: 7_200_000n,
  richParameters: [{ name: 'region', required: true }],
});
const REGION = [{ name: 'region', value: 'eu' }];

const member = () => rows.user({ memberOf: [organization.id] });
const fieldsOf = (error: unknown): string[] =>
  (error as { cause: { validations: { field: string }[] } }).cause.validations.map(({ field }) => field);

describe('a workspace that is made', () => {
  it('starts its first build on the active version, and is recorded with its owner', async () => {
    const owner = await member();
    const made = await callAsUser(owner.id).workspaces.create({
      user: 'me',
      name: 'lab',
      template_id: template.id,
      autostart_schedule: 'CRON_TZ=Europe/Lisbon 30 9 * * 1-5',
      rich_parameter_values: REGION,
    });
    expect(made).toEqual(Workspace.parse(made));
    expect(made).toMatchObject({
      name: 'lab',
      owner_id: owner.id,
      organization_id: organization.id,
      automatic_updates: 'never',
      autostart_schedule: 'CRON_TZ=Europe/Lisbon 30 9 * * 1-5',
      ttl_ms: 7_200_000,
      latest_build: { build_number: 1, transition: 'start', status: 'pending', reason: 'initiator', template_version_id: version.id },
    });
    await expect(callAsUser(owner.id).builds.parameters({ workspacebuild: made.latest_build.id })).resolves.toEqual(REGION);
    const audit = await prisma.auditLog.findMany({ where: { resourceId: made.id } });
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({
      resourceType: 'workspace',
      action: 'create',
      statusCode: 200,
      resourceTarget: 'lab',
      additionalFields: { workspace_owner: owner.username },
      diff: { name: { old: '', new: 'lab', secret: false }, owner_id: { new: owner.id } },
    });
  });

  it('may be made for a member by who may, from a version of choice, through the path of the organization', async () => {
    const owner = await member();
    const made = await callAsUser(siteOwner.id).workspaces.createInOrganization({
      organization: organization.name,
      user: owner.username,
      name: 'for-you',
      template_version_id: version.id,
      ttl_ms: 90_500,
      automatic_updates: 'always',
      rich_parameter_values: REGION,
    });
    expect(made).toMatchObject({
      owner_id: owner.id,
      ttl_ms: 60_000,
      automatic_updates: 'always',
      latest_build: { initiator_id: siteOwner.id },
    });
  });
});

describe('a workspace that is refused', () => {
  const body = { user: 'me', template_id: template.id, rich_parameter_values: REGION };

  it('needs exactly one of template and version, and one that the caller may read', async () => {
    const owner = await member();
    const create = (part: object) =>
      callAsUser(owner.id)
        .workspaces.create({ ...body, name: 'x', ...part })
        .catch((error: unknown) => error);
    expect(fieldsOf(await create({ template_version_id: version.id }))).toEqual(['template_id', 'template_version_id']);
    expect(fieldsOf(await create({ template_id: undefined }))).toEqual(['template_id', 'template_version_id']);
    const { template: secret } = await rows.template({ organization, groupAcl: {} });
    const { version: loose } = await rows.version({ organization });
    expect(String(await create({ template_id: secret.id }))).toBe(String(await create({ template_id: newId() })));
    expect(fieldsOf(await create({ template_id: secret.id }))).toEqual(['template_id']);
    expect(fieldsOf(await create({ template_id: undefined, template_version_id: loose.id }))).toEqual(['template_version_id']);
  });

  it('names what is wrong with its fields, all at once', async () => {
    const owner = await member();
    const refusal = await callAsUser(owner.id)
      .workspaces.create({ ...body, name: 'not valid', autostart_schedule: '@daily', ttl_ms: 1 })
      .catch((error: unknown) => error);
    expect(fieldsOf(refusal)).toEqual(['name', 'schedule', 'ttl_ms']);
    await expect(
      callAsUser(owner.id).workspaces.create({ ...body, name: 'ok', automatic_updates: 'sometimes' as 'never' }),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    const parameters = await callAsUser(owner.id)
      .workspaces.create({ ...body, name: 'ok', rich_parameter_values: [] })
      .catch((error: unknown) => error);
    expect(fieldsOf(parameters)).toEqual(['region']);
  });

  it('has a name that its owner has already, in any case; a deleted workspace gives its name back', async () => {
    const owner = await member();
    const { workspace } = await rows.workspace({ template, owner, name: 'taken' });
    await expect(callAsUser(owner.id).workspaces.create({ ...body, name: 'TAKEN' })).rejects.toMatchObject({ code: 'CONFLICT' });
    await prisma.workspace.update({ where: { id: workspace.id }, data: { deleted: true } });
    await expect(callAsUser(owner.id).workspaces.create({ ...body, name: 'TAKEN' })).resolves.toMatchObject({ name: 'TAKEN' });
  });

  it('is of a deleted, deprecated, archived, failed or unfinished source', async () => {
    const owner = await member();
    const create = (part: object) => callAsUser(owner.id).workspaces.create({ ...body, name: newId().slice(0, 8), ...part });
    const { template: deleted } = await rows.template({ organization, deleted: true });
    const { template: deprecated } = await rows.template({ organization, deprecationMessage: 'use the other' });
    const { version: archived } = await rows.version({ organization, templateId: template.id, archived: true });
    const { template: importing } = await rows.template({ organization, status: 'pending' });
    const { template: broken } = await rows.template({ organization, status: 'failed' });
    await expect(create({ template_id: deleted.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(create({ template_id: deprecated.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(create({ template_id: undefined, template_version_id: archived.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(create({ template_id: importing.id })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    await expect(create({ template_id: broken.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await prisma.workspace.count({ where: { ownerId: owner.id } })).toBe(0);
  });

  it('starts on another than the active version where the template forbids it', async () => {
    const { template: strict } = await rows.template({ organization, requireActiveVersion: true });
    const { version: other } = await rows.version({ organization, templateId: strict.id });
    const owner = await member();
    const create = { user: 'me', name: 'strict', template_version_id: other.id };
    await expect(callAsUser(owner.id).workspaces.create(create)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is for another user: 404 when the caller may not know them, 403 when they may not build for them; the attempt is recorded', async () => {
    const owner = await member();
    const stranger = await member();
    const reader = await rows.user({ siteRoles: ['auditor'], memberOf: [organization.id] });
    await expect(callAsUser(stranger.id).workspaces.create({ ...body, user: owner.id, name: 'mine' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(callAsUser(reader.id).workspaces.create({ ...body, user: owner.id, name: 'mine' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const [row] = await prisma.auditLog.findMany({ where: { userId: reader.id } });
    expect(row).toMatchObject({ resourceType: 'workspace', action: 'create', statusCode: 403, resourceTarget: 'mine', diff: {} });
  });

  it('is for a user outside of the organization of the path or the template', async () => {
    const outsider = await rows.user();
    const create = { ...body, user: outsider.id, name: 'mine' };
    const caller = callAsUser(siteOwner.id);
    await expect(caller.workspaces.createInOrganization({ ...create, organization: organization.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(caller.workspaces.createInOrganization({ ...create, organization: 'no-such' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(caller.workspaces.create(create)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
