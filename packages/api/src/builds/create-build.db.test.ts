import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser, clock } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const siteOwner = await rows.user({ siteRoles: ['owner'] });
const templateAdmin = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-template-admin'] }] });

const fieldsOf = (error: unknown): string[] =>
  (error as { cause: { validations: { field: string }[] } }).cause.validations.map(({ field }) => field);

describe('a build that is made', () => {
  it('is pending, numbered after the last, takes over its version, state and parameters, and becomes the latest', async () => {
    const { owner, workspace, version, build } = await rows.workspace({
      organization,
      richParameters: [{ name: 'region' }, { name: 'token', ephemeral: true, defaultValue: 'none' }],
      parameters: { region: 'eu', token: 'secret' },
    });
    await prisma.workspaceBuild.update({ where: { id: build.id }, data: { provisionerState: new Uint8Array([1, 2, 3]) } });
    const made = await callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'stop' });
    expect(made).toMatchObject({
      build_number: 2,
      status: 'pending',
      reason: 'initiator',
      transition: 'stop',
      initiator_name: owner.username,
      template_version_id: version.id,
      job: { status: 'pending', worker_id: null },
      resources: [],
      deadline: null,
    });
    const row = await prisma.workspaceBuild.findUniqueOrThrow({
      where: { id: made.id },
      select: { provisionerState: true, latestOf: { select: { id: true } }, job: { select: { kind: true, fileId: true } } },
    });
    expect(row).toMatchObject({ latestOf: { id: workspace.id }, job: { kind: 'workspace_build' } });
    expect([...row.provisionerState]).toEqual([1, 2, 3]);
    await expect(callAsUser(owner.id).builds.parameters({ workspacebuild: made.id })).resolves.toEqual([
      { name: 'region', value: 'eu' },
      { name: 'token', value: 'none' },
    ]);
    // Its audit row is written when it ends.
    expect(await prisma.auditLog.count({ where: { resourceId: { in: [workspace.id, made.id] } } })).toBe(0);
    expect(made.job.queue_position).toBe(made.job.queue_size);
  });

  it('takes state as bytes or base64 from who may update the template, and an orphan starts from none', async () => {
    const bytes = Buffer.from('{"version":1,"keeps_home":true}');
    for (const state of [[...bytes], bytes.toString('base64')]) {
      const { workspace } = await rows.workspace({ organization });
      const made = await callAsUser(siteOwner.id).builds.create({ workspace: workspace.id, transition: 'start', state });
      await expect(callAsUser(siteOwner.id).builds.state({ workspacebuild: made.id })).resolves.toMatchObject({
        provisioner_state: bytes.toString('base64'),
      });
    }
    const { workspace, build } = await rows.workspace({ organization });
    await prisma.workspaceBuild.update({ where: { id: build.id }, data: { provisionerState: new Uint8Array([1]) } });
    const orphan = await callAsUser(siteOwner.id).builds.create({ workspace: workspace.id, transition: 'delete', orphan: true });
    await expect(callAsUser(siteOwner.id).builds.state({ workspacebuild: orphan.id })).resolves.toMatchObject({ provisioner_state: '' });
  });

  it('is one of two at once; the other is a conflict', async () => {
    const { owner, workspace } = await rows.workspace({ organization });
    const caller = callAsUser(owner.id);
    const attempts = await Promise.allSettled(
      ['start', 'stop', 'start', 'delete'].map((transition) =>
        caller.builds.create({ workspace: workspace.id, transition: transition as 'start' }),
      ),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of attempts) if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'CONFLICT' });
    expect(await prisma.workspaceBuild.count({ where: { workspaceId: workspace.id } })).toBe(2);
  });
});

describe('a refused build', () => {
  it('is refused as the house does: 404 for who may not read the workspace, 403 for who may read but not build', async () => {
    const { workspace } = await rows.workspace({ organization });
    const stranger = await rows.user({ memberOf: [organization.id] });
    const build = { workspace: workspace.id, transition: 'start' } as const;
    await expect(callAsUser(stranger.id).builds.create(build)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(callAsUser(templateAdmin.id).builds.create(build)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(callAsUser(siteOwner.id).builds.create({ ...build, workspace: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leaves an audit row with its status and an empty diff, and nothing else', async () => {
    const { owner, workspace } = await rows.workspace({ organization, status: 'running' });
    await expect(callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'stop' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const [row, ...more] = await prisma.auditLog.findMany({ where: { resourceId: workspace.id } });
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      resourceType: 'workspace_build',
      action: 'stop',
      statusCode: 409,
      diff: {},
      userId: owner.id,
      additionalFields: { workspace_name: workspace.name, workspace_owner: owner.username, build_number: '2' },
    });
    expect(await prisma.workspaceBuild.count({ where: { workspaceId: workspace.id } })).toBe(1);
  });

  it('keeps orphan to deletions without state, before it asks for rights', async () => {
    const { owner, workspace } = await rows.workspace({ organization });
    const create = (body: object) =>
      callAsUser(owner.id)
        .builds.create({ workspace: workspace.id, transition: 'delete', ...body })
        .catch((error: unknown) => error);
    expect(fieldsOf(await create({ transition: 'stop', orphan: true }))).toEqual(['orphan']);
    expect(fieldsOf(await create({ orphan: true, state: [1] }))).toEqual(['state']);
    expect(await create({ orphan: true })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await create({ state: [1] })).toMatchObject({ code: 'FORBIDDEN' });
    expect(fieldsOf(await create({ log_level: 'debug' }))).toEqual(['log_level']);
    expect(await create({ state: [256] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await create({ transition: 'restart' })).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('names a version that is absent, of another template, failed or still importing', async () => {
    const { owner, workspace, template } = await rows.workspace({ organization });
    const { version: foreign } = await rows.template({ organization });
    const { version: failed } = await rows.version({ organization, templateId: template.id, status: 'failed' });
    const { version: importing } = await rows.version({ organization, templateId: template.id, status: 'running' });
    const start = (template_version_id: string) =>
      callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'start', template_version_id });
    const [absent, other] = [await start(newId()).catch(String), await start(foreign.id).catch(String)];
    expect(absent).toBe(other);
    await expect(start(failed.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(start(importing.id)).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  });

  for (const status of ['pending', 'running', 'canceling'] as const) {
    it(`is a conflict while the last build is ${status}`, async () => {
      const { owner, workspace } = await rows.workspace({ organization, status });
      await expect(callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'start' })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    });
  }

  for (const status of ['failed', 'canceled', 'succeeded'] as const) {
    it(`is none after a build that ${status === 'succeeded' ? 'succeeded' : `is ${status}`}`, async () => {
      const { owner, workspace } = await rows.workspace({ organization, status });
      await expect(callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'start' })).resolves.toMatchObject({
        build_number: 2,
      });
    });
  }

  it('starts no dormant workspace, not even for a site owner, but stops and deletes it', async () => {
    for (const transition of ['stop', 'delete'] as const) {
      const { owner, workspace } = await rows.workspace({ organization, dormantAt: new Date() });
      await expect(callAsUser(siteOwner.id).builds.create({ workspace: workspace.id, transition: 'start' })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
      await expect(callAsUser(owner.id).builds.create({ workspace: workspace.id, transition })).resolves.toMatchObject({ transition });
    }
  });

  it('builds nothing of a deleted workspace', async () => {
    const { owner, workspace } = await rows.workspace({ organization, deleted: true, transition: 'delete' });
    await expect(callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'start' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('starts no other than the active version where the template insists on it, except for its administrators', async () => {
    const { template, version } = await rows.template({ organization, requireActiveVersion: true });
    const { workspace, owner } = await rows.workspace({ template });
    const { version: newer } = await rows.version({ organization, templateId: template.id });
    await prisma.template.update({ where: { id: template.id }, data: { activeVersionId: newer.id } });
    const start = { workspace: workspace.id, transition: 'start', template_version_id: version.id } as const;
    await expect(callAsUser(owner.id).builds.create(start)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(callAsUser(owner.id).builds.create({ ...start, transition: 'stop', dry_run: false })).resolves.toMatchObject({
      transition: 'stop',
    });
    await prisma.provisionerJob.updateMany({
      where: { build: { workspaceId: workspace.id } },
      data: { completedAt: new Date(), startedAt: new Date() },
    });
    await expect(callAsUser(siteOwner.id).builds.create(start)).resolves.toMatchObject({ template_version_id: version.id });
  });

  it('names each parameter that breaks a rule', async () => {
    const { owner, workspace } = await rows.workspace({
      organization,
      richParameters: [
        { name: 'fixed', mutable: false },
        { name: 'size', type: 'number', validationMin: 1, validationMax: 8, defaultValue: '2' },
        { name: 'needed', required: true },
      ],
      parameters: { fixed: 'a' },
    });
    const refusal = await callAsUser(owner.id)
      .builds.create({
        workspace: workspace.id,
        transition: 'start',
        rich_parameter_values: [
          { name: 'fixed', value: 'b' },
          { name: 'size', value: '9' },
        ],
      })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    expect(fieldsOf(refusal).toSorted()).toEqual(['fixed', 'needed', 'size']);
  });
});

describe('dry_run', () => {
  async function withDaemon() {
    const org = await rows.organization();
    await prisma.provisionerDaemon.create({
      data: {
        id: newId(),
        organizationId: org.id,
        name: 'daemon',
        sessionId: newId(),
        provisioners: ['process'],
        tags: { scope: 'organization', owner: '' },
        lastSeenAt: clock.now(),
      },
    });
    return org;
  }

  it('answers the build that would be made and makes none, not even an audit row', async () => {
    const { owner, workspace, build } = await rows.workspace({ organization: await withDaemon() });
    const jobs = await prisma.provisionerJob.count();
    const planned = await callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'start', dry_run: true });
    expect(planned).toMatchObject({ build_number: 2, status: 'pending', transition: 'start' });
    expect(await prisma.provisionerJob.count()).toBe(jobs);
    await expect(prisma.workspace.findUnique({ where: { id: workspace.id } })).resolves.toMatchObject({ latestBuildId: build.id });
    expect(await prisma.auditLog.count({ where: { resourceId: workspace.id } })).toBe(0);
  });

  it('refuses what a build would be refused, and what would only fail later: no provisioner, no quota', async () => {
    const org = await withDaemon();
    const dryRun = (owner: { id: string }, workspace: { id: string }) =>
      callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'start', dry_run: true });

    const busy = await rows.workspace({ organization: org, status: 'running' });
    await expect(dryRun(busy.owner, busy.workspace)).rejects.toMatchObject({ code: 'CONFLICT' });

    const lonely = await rows.workspace({ organization });
    await expect(dryRun(lonely.owner, lonely.workspace)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    const costly = await rows.workspace({ organization: org });
    await rows.agent({ jobId: costly.version.jobId, resource: { dailyCost: 5 } });
    await expect(dryRun(costly.owner, costly.workspace)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await prisma.group.update({ where: { id: org.id }, data: { quotaAllowance: 5 } });
    await expect(dryRun(costly.owner, costly.workspace)).resolves.toMatchObject({ status: 'pending' });
  });
});
