import { newId } from '@berth/core';
import type { Prisma } from '@berth/db';
import { describe, expect, test } from 'vitest';
import { createTestProvisioner, RESOURCE } from '../../provisioner-api/test-provisioner.ts';
import { trackedParts } from '../../testing/index.ts';

const testProvisioner = await createTestProvisioner();
const { prisma, make, api, user, userId, callAsUser, organizationId, givenDaemon, acquired, acquire, line } = testProvisioner;

/** A version with a number `cpu` up to 8 and the variable `region`, which is `north`. */
async function givenVersion(job: Partial<Prisma.ProvisionerJobUncheckedCreateInput> = {}) {
  const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId() } });
  const richParameters = [{ name: 'cpu', type: 'number', defaultValue: '2', validationMin: 1, validationMax: 8 }];
  const { version, template } = await make.template({ organization, richParameters });
  if (Object.keys(job).length > 0) await prisma.provisionerJob.update({ where: { id: version.jobId }, data: job });
  await prisma.templateVersionVariable.create({
    data: { templateVersionId: version.id, name: 'region', type: 'string', value: 'north' },
  });
  return { version, template };
}

async function begun() {
  const { version } = await givenVersion();
  const { id: jobID } = await user().templateVersions.createDryRun({ templateversion: version.id });
  return { templateversion: version.id, jobID };
}

describe('a dry run', () => {
  test('goes to a daemon with the resolved parameters and variables, keeps what would be made, and makes nothing', async () => {
    const { version, template } = await givenVersion();
    const created = await user().templateVersions.createDryRun({
      templateversion: version.id,
      workspace_name: 'tryout',
      rich_parameter_values: [{ name: 'cpu', value: '4' }],
      user_variable_values: [{ name: 'region', value: 'south' }],
    });
    const ids = { templateversion: version.id, jobID: created.id };
    expect(created).toMatchObject({ status: 'pending', tags: { scope: 'organization', owner: '' } });
    expect(await user().templateVersions.dryRun(ids)).toMatchObject({ id: created.id, status: 'pending' });
    await expect(user().templateVersions.dryRunResources(ids)).rejects.toMatchObject({ code: 'BAD_REQUEST' });

    const { job, lease } = await acquired(await givenDaemon());
    expect(job).toMatchObject({
      kind: 'template_version_dry_run',
      workspace: { id: created.id, name: 'tryout', owner: { id: userId() } },
      template: { id: template.id, version_id: version.id },
      rich_parameter_values: [{ name: 'cpu', value: '4' }],
      variable_values: [{ name: 'region', value: 'south' }],
    });
    await api().heartbeat({ ...lease, logs: [line('planning'), line('done')] });
    await api().completeDryRun({ ...lease, resources: [RESOURCE] });

    expect(await user().templateVersions.dryRun(ids)).toMatchObject({ status: 'succeeded' });
    expect(await user().templateVersions.dryRunResources(ids)).toMatchObject([{ name: 'home', agents: [{ name: 'main' }] }]);
    const logs = await user().templateVersions.dryRunLogs(ids);
    expect(logs.map(({ output }) => output)).toEqual(['planning', 'done']);
    expect(await user().templateVersions.dryRunLogs({ ...ids, after: logs[0]?.id })).toHaveLength(1);
    const followed: string[] = [];
    for await (const item of await user().templateVersions.followDryRunLogs({ ...ids, lastEventId: String(logs[0]?.id) })) {
      followed.push(trackedParts(item).data.output);
    }
    expect(followed).toEqual(['done']);
    expect(await prisma.workspace.count({ where: { templateId: template.id } })).toBe(0);
    expect(await prisma.auditLog.findMany({ where: { resourceId: version.id } })).toMatchObject([
      { resourceType: 'template_version', action: 'start', additionalFields: { dry_run: true, job_id: created.id } },
    ]);
  });

  test('has a name of its own when none is given, and the values that the version has', async () => {
    await begun();
    const { job } = await acquired(await givenDaemon());
    expect(job).toMatchObject({
      workspace: { name: expect.stringMatching(/^[a-z]+-[a-z]+$/) },
      rich_parameter_values: [{ name: 'cpu', value: '2' }],
      variable_values: [{ name: 'region', value: 'north' }],
    });
  });

  test('with a value that breaks a rule is refused, naming the parameter and the rule', async () => {
    const { version } = await givenVersion();
    const attempt = user().templateVersions.createDryRun({
      templateversion: version.id,
      rich_parameter_values: [{ name: 'cpu', value: '9' }],
    });
    await expect(attempt).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { validations: [{ field: 'cpu', detail: 'Must be between 1 and 8.' }] },
    });
  });

  test('with a variable that the version does not have is refused by its name', async () => {
    const { version } = await givenVersion();
    const attempt = user().templateVersions.createDryRun({
      templateversion: version.id,
      user_variable_values: [{ name: 'zone', value: 'x' }],
    });
    await expect(attempt).rejects.toMatchObject({ cause: { validations: [{ detail: expect.stringContaining('"zone"') }] } });
  });

  test('waits for the import of its version, and there is none of a version whose import failed', async () => {
    const { version: importing } = await givenVersion({ completedAt: null });
    await expect(user().templateVersions.createDryRun({ templateversion: importing.id })).rejects.toMatchObject({
      cause: { kind: 'not_ready' },
    });
    const { version: failed } = await givenVersion({ error: 'it broke' });
    await expect(user().templateVersions.createDryRun({ templateversion: failed.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('takes the tags of the version’s builds', async () => {
    const { version } = await givenVersion();
    await prisma.templateVersion.update({ where: { id: version.id }, data: { workspaceTags: { gpu: 'yes' } } });
    expect(await user().templateVersions.createDryRun({ templateversion: version.id })).toMatchObject({ tags: { gpu: 'yes' } });
  });
});

describe('canceling', () => {
  test('ends a run that waits at once, and no daemon gets it', async () => {
    const ids = await begun();
    await user().templateVersions.cancelDryRun(ids);
    expect(await user().templateVersions.dryRun(ids)).toMatchObject({ status: 'canceled' });
    expect(await acquire(await givenDaemon())).toBeNull();
    await expect(user().templateVersions.cancelDryRun(ids)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('asks the daemon of a run that it has, and the run is canceled when that says so', async () => {
    const ids = await begun();
    const { lease } = await acquired(await givenDaemon());
    await user().templateVersions.cancelDryRun(ids);
    expect(await api().heartbeat({ ...lease, logs: [] })).toEqual({ cancel: true });
    expect(await user().templateVersions.dryRun(ids)).toMatchObject({ status: 'canceling' });
    await api().failJob({ ...lease, error: '', error_code: '', canceled: true });
    expect(await user().templateVersions.dryRun(ids)).toMatchObject({ status: 'canceled' });
  });
});

describe('who may see it', () => {
  test('is who may see the workspaces of whoever began it', async () => {
    const ids = await begun();
    const other = callAsUser((await make.user({ memberOf: [organizationId()] })).id);
    const admin = callAsUser((await make.user({ siteRoles: ['owner'] })).id);
    await expect(admin.templateVersions.dryRun(ids)).resolves.toMatchObject({ id: ids.jobID });
    for (const read of [other.templateVersions.dryRun, other.templateVersions.dryRunLogs, other.templateVersions.cancelDryRun]) {
      await expect(read(ids)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('finds it under its own version only, and nothing but dry runs', async () => {
    const ids = await begun();
    const { version } = await givenVersion();
    await expect(user().templateVersions.dryRun({ ...ids, templateversion: version.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(user().templateVersions.dryRun({ templateversion: version.id, jobID: version.jobId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(user().templateVersions.dryRun({ ...ids, jobID: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('nobody begins one of a version that they cannot read', async () => {
    const { version } = await make.template();
    await expect(user().templateVersions.createDryRun({ templateversion: version.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
