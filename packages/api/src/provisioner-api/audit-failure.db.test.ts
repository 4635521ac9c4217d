import { expect, test } from 'vitest';
import { createTestProvisioner } from './test-provisioner.ts';

const { prisma, api, givenDaemon, givenWaitingBuild, givenImport, acquired } = await createTestProvisioner();

/** Every audit row of this file's builds is refused, as by a full disk. */
await prisma.$executeRaw`ALTER TABLE audit_logs ADD CONSTRAINT refuse CHECK (resource_type <> 'workspace_build') NOT VALID`;

test.each(['start', 'stop', 'delete'] as const)(
  'a %s whose audit row cannot be written has not ended, and may end later',
  async (transition) => {
    const { build, workspace } = await givenWaitingBuild(transition);
    const { lease } = await acquired(await givenDaemon());
    const state = Buffer.from('new').toString('base64');
    await expect(api().completeBuild({ ...lease, state, timings: [] })).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
    const job = await prisma.provisionerJob.findUniqueOrThrow({ where: { id: build.jobId } });
    expect(job).toMatchObject({ completedAt: null, error: '' });
    const row = await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: build.id } });
    expect(Buffer.from(row.provisionerState).toString()).toBe('');
    expect(await prisma.workspace.findUniqueOrThrow({ where: { id: workspace.id } })).toMatchObject({ deleted: false });
    await expect(api().heartbeat({ ...lease, logs: [] })).resolves.toEqual({ cancel: false });
  },
);

test('a build whose failure cannot be recorded has not failed', async () => {
  const { build } = await givenWaitingBuild('start');
  const { lease } = await acquired(await givenDaemon());
  const failure = { ...lease, error: 'no space', error_code: '' as const, canceled: false };
  await expect(api().failJob(failure)).rejects.toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
  expect(await prisma.provisionerJob.findUniqueOrThrow({ where: { id: build.jobId } })).toMatchObject({ completedAt: null, error: '' });
});

test('an import is recorded when it is asked for, so its end needs no row', async () => {
  const { version } = await givenImport();
  const { lease } = await acquired(await givenDaemon());
  await api().completeImport({ ...lease, readme: '', variables: [], parameters: [], start_resources: [], stop_resources: [] });
  expect(await prisma.provisionerJob.findUniqueOrThrow({ where: { id: version.jobId } })).toMatchObject({ completedAt: expect.any(Date) });
});
