import { describe, expect, test } from 'vitest';
import { createTestProvisioner, RESOURCE } from './test-provisioner.ts';

const { prisma, clock, api, givenDaemon, givenWaitingBuild, acquired } = await createTestProvisioner();

describe('builds', () => {
  test('planned agents get tokens of which only the hash is kept, and a second plan replaces the first', async () => {
    const { build } = await givenWaitingBuild('start');
    const { job, lease } = await acquired(await givenDaemon());
    expect(job).toMatchObject({
      kind: 'workspace_build',
      build_id: build.id,
      transition: 'start',
      state: '',
      access_url: 'http://berth.test',
    });
    const first = await api().planned({ ...lease, resources: [RESOURCE] });
    const second = await api().planned({ ...lease, resources: [RESOURCE] });
    const agents = await prisma.workspaceAgent.findMany({ where: { resource: { jobId: build.jobId } } });
    expect(agents.map(({ id }) => id)).toEqual(second.agents.map(({ id }) => id));
    expect(second.agents[0]?.token).not.toBe(first.agents[0]?.token);
    expect(JSON.stringify(agents)).not.toContain(second.agents[0]?.token);
    expect(await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: build.id } })).toMatchObject({ dailyCost: 3 });
  });

  test('a start that succeeded keeps its state and timings, sets the deadline and is recorded with the request that queued it', async () => {
    const { build, workspace } = await givenWaitingBuild('start', { ttlMs: 3_600_000n });
    const { requestId } = await prisma.provisionerJob.update({
      where: { id: build.jobId },
      data: { requestIp: '192.0.2.7', requestAgent: 'curl/8' },
    });
    const { job, lease } = await acquired(await givenDaemon());
    const at = clock.now().toISOString();
    const timing = { stage: 'apply' as const, source: 'process', action: 'create', resource: 'home', started_at: at, ended_at: at };
    await api().completeBuild({ ...lease, state: Buffer.from('a state').toString('base64'), timings: [timing] });
    const row = await prisma.workspaceBuild.findUniqueOrThrow({
      where: { id: build.id },
      select: { provisionerState: true, deadline: true, job: { select: { timings: true } } },
    });
    expect(Buffer.from(row.provisionerState).toString()).toBe('a state');
    expect(row.deadline?.getTime()).toBe(clock.now().getTime() + 3_600_000);
    expect(row.job.timings).toHaveLength(1);
    const [audit] = await prisma.auditLog.findMany({ where: { resourceId: build.id } });
    expect(audit).toMatchObject({
      action: 'start',
      statusCode: 200,
      requestId,
      ip: '192.0.2.7',
      userAgent: 'curl/8',
      resourceTarget: workspace.name,
      userId: workspace.ownerId,
    });
    expect(audit?.additionalFields).toMatchObject({
      workspace_name: workspace.name,
      build_number: String(build.buildNumber),
      build_reason: 'initiator',
      job_id: job.id,
    });
  });

  test('the next build starts from the state of the last one', async () => {
    const { build } = await givenWaitingBuild('stop');
    await prisma.workspaceBuild.update({ where: { id: build.id }, data: { provisionerState: new TextEncoder().encode('s'.repeat(500)) } });
    const { job } = await acquired(await givenDaemon());
    expect(job.kind === 'workspace_build' && Buffer.from(job.state, 'base64').toString()).toBe('s'.repeat(500));
  });

  test('a delete that succeeded deletes the workspace', async () => {
    const { workspace } = await givenWaitingBuild('delete');
    const { lease } = await acquired(await givenDaemon());
    await api().completeBuild({ ...lease, state: '', timings: [] });
    expect(await prisma.workspace.findUniqueOrThrow({ where: { id: workspace.id } })).toMatchObject({ deleted: true });
  });

  test('a delete that failed leaves the workspace, keeps the sent state, and is recorded as failed', async () => {
    const { workspace, build } = await givenWaitingBuild('delete');
    const { lease } = await acquired(await givenDaemon());
    await api().failJob({
      ...lease,
      error: 'the disk is busy',
      error_code: '',
      canceled: false,
      state: Buffer.from('half').toString('base64'),
    });
    expect(await prisma.workspace.findUniqueOrThrow({ where: { id: workspace.id } })).toMatchObject({ deleted: false });
    const row = await prisma.workspaceBuild.findUniqueOrThrow({
      where: { id: build.id },
      select: { provisionerState: true, job: { select: { error: true } } },
    });
    expect(Buffer.from(row.provisionerState).toString()).toBe('half');
    expect(row.job.error).toBe('the disk is busy');
    expect(await prisma.auditLog.findMany({ where: { resourceId: build.id } })).toMatchObject([
      { action: 'delete', statusCode: 500, diff: {} },
    ]);
  });
});
