import { newId } from '@berth/core';
import { expect, test } from 'vitest';
import { MAX_ATTEMPTS } from '../provisioner-jobs/lease.ts';
import { createTestProvisioner } from './test-provisioner.ts';

const { prisma, api, user, organizationId, givenDaemon, givenImport, acquire, acquired } = await createTestProvisioner();

const listed = () => user().provisionerDaemons.list({ organization: organizationId() });

test('a daemon that is about to leave says so, keeps its job and gets no more', async () => {
  await givenImport();
  const daemon = await givenDaemon();
  const { lease } = await acquired(daemon);
  await givenImport();
  await api().drainDaemon({ ...daemon, left: false });
  expect(await acquire(daemon)).toBeNull();
  expect(await listed()).toMatchObject([{ status: 'draining', current_job: { id: lease.job_id } }]);
  await expect(api().heartbeat({ ...lease, logs: [] })).resolves.toEqual({ cancel: false });
});

test('once it left, its jobs go to others at once, and that attempt does not count', async () => {
  const { job } = await givenImport();
  for (let round = 0; round <= MAX_ATTEMPTS; round += 1) {
    const daemon = await givenDaemon(`leaves-${round}`);
    const { lease } = await acquired(daemon);
    await api().drainDaemon({ ...daemon, left: true });
    await expect(api().heartbeat({ ...lease, logs: [] })).rejects.toMatchObject({ code: 'CONFLICT' });
  }
  const { job: taken } = await acquired(await givenDaemon('stays'));
  expect(taken).toMatchObject({ id: job.id, attempt: 1 });
});

test('a daemon that registers again takes jobs again', async () => {
  await givenImport();
  const daemon = await givenDaemon('again');
  await api().drainDaemon({ ...daemon, left: true });
  expect(await acquire(await givenDaemon('again'))).not.toBeNull();
});

test('only the daemon itself may say so', async () => {
  const daemon = await givenDaemon();
  await expect(api().drainDaemon({ ...daemon, session_id: newId(), left: true })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await prisma.provisionerDaemon.findUniqueOrThrow({ where: { id: daemon.daemon_id } })).toMatchObject({ drainingAt: null });
});
