import { describe, expect, test } from 'vitest';
import { LEASE_SECONDS } from '../provisioner-jobs/lease.ts';
import { givenTemplateFile } from '../testing/index.ts';
import { createTestProvisioner } from './test-provisioner.ts';

const { make, prisma, clock, organizationId, userId, user, givenDaemon, givenImport, acquire, acquired } = await createTestProvisioner();

describe('acquiring', () => {
  test('the oldest waiting job goes first, with all that the daemon needs', async () => {
    const late = await givenImport();
    const early = await givenImport({
      createdAt: new Date(clock.now().getTime() - 60_000),
      input: { user_variable_values: [{ name: 'region', value: 'north' }] },
    });
    const daemon = await givenDaemon();
    const { job } = await acquired(daemon);
    expect(job).toMatchObject({
      id: early.job.id,
      kind: 'template_version_import',
      attempt: 1,
      lease_seconds: LEASE_SECONDS,
      file_id: early.job.fileId,
      template_version_id: early.version.id,
      user_variable_values: [{ name: 'region', value: 'north' }],
    });
    expect((await acquired(daemon)).job.id).toBe(late.job.id);
    expect(await acquire(daemon)).toBeNull();
  });

  test('many daemons that ask at once never get the same job', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => givenImport()));
    const daemons = await Promise.all(Array.from({ length: 10 }, (_, index) => givenDaemon(`daemon-${index}`)));
    const jobs = await Promise.all(daemons.map((daemon) => acquire(daemon)));
    const ids = jobs.filter((job) => job !== null).map((job) => job.id);
    expect(ids.toSorted()).toEqual(made.map(({ job }) => job.id).toSorted());
  });

  test('a job goes only to a daemon that has all its tags, and an untagged job to an untagged daemon', async () => {
    const special = await givenImport({ tags: { gpu: 'yes' } });
    const plain = await givenImport();
    const tagged = await givenDaemon('tagged', { tags: { gpu: 'yes', region: 'north' } });
    const untagged = await givenDaemon('untagged');
    expect((await acquired(untagged)).job.id).toBe(plain.job.id);
    expect(await acquire(untagged)).toBeNull();
    expect((await acquired(tagged)).job.id).toBe(special.job.id);
  });

  test('jobs of another organization, of another driver, and ended ones are never handed out', async () => {
    await make.version({ status: 'pending' });
    await make.job({ organizationId: organizationId(), initiatorId: userId(), status: 'pending', provisioner: 'terraform' });
    await make.job({
      organizationId: organizationId(),
      initiatorId: userId(),
      status: 'pending',
      canceledAt: clock.now(),
      completedAt: clock.now(),
    });
    expect(await acquire(await givenDaemon())).toBeNull();
  });

  test('a waiting daemon gets a job as soon as one is queued', async () => {
    const daemon = await givenDaemon();
    const waiting = acquire(daemon, 20_000);
    const file = await givenTemplateFile(prisma, { createdById: userId() });
    const version = await user().templateVersions.create({
      organization: organizationId(),
      file_id: file.id,
      provisioner: 'process',
      storage_method: 'file',
    });
    expect((await waiting)?.id).toBe(version.job.id);
  });

  test('a daemon whose name another process took gets nothing more', async () => {
    await givenImport();
    const daemon = await givenDaemon('same');
    await givenDaemon('same');
    await expect(acquire(daemon)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('a job whose version is gone fails instead of blocking the queue', async () => {
    const orphan = await make.job({
      organizationId: organizationId(),
      initiatorId: userId(),
      status: 'pending',
      createdAt: new Date(0),
    });
    const next = await givenImport();
    expect((await acquired(await givenDaemon())).job.id).toBe(next.job.id);
    const row = await prisma.provisionerJob.findUniqueOrThrow({ where: { id: orphan.id } });
    expect(row.completedAt).not.toBeNull();
    expect(row.error).not.toBe('');
  });
});
