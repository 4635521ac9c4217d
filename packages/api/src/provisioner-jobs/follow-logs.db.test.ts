import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { appendJobLogs, followJobLogs, listJobLogs } from './logs.ts';
import { publishJobChange } from './news.ts';

const { prisma, services } = await createTestApi();
const make = given(prisma);

async function givenRunningJob() {
  const { job } = await make.version({ status: 'running' });
  return job.id;
}

const append = (jobId: string, ...outputs: string[]) =>
  prisma.$transaction((db) =>
    appendJobLogs(db, services, {
      jobId,
      source: 'provisioner',
      lines: outputs.map((output) => ({ createdAt: services.clock.now(), level: 'info', stage: 'Plan', output })),
    }),
  );

async function end(jobId: string): Promise<void> {
  await prisma.$transaction(async (db) => {
    await db.provisionerJob.update({ where: { id: jobId }, data: { completedAt: services.clock.now() } });
    await publishJobChange(db, services, jobId);
  });
}

test('a follower gets what there is, then each new line once and in order, and ends with the job', async () => {
  const jobId = await givenRunningJob();
  await append(jobId, 'one', 'two');
  const lines: string[] = [];
  const following = (async () => {
    for await (const line of followJobLogs(services, jobId, 0, new AbortController().signal)) lines.push(line.output);
  })();
  for (let index = 0; index < 20; index += 1) await append(jobId, `line ${index}`);
  await end(jobId);
  await following;
  expect(lines).toEqual(['one', 'two', ...Array.from({ length: 20 }, (_, index) => `line ${index}`)]);
});

test('a follower of a job that has ended gets the whole log and ends at once, also past one page', async () => {
  const jobId = await givenRunningJob();
  await append(jobId, ...Array.from({ length: 2500 }, (_, index) => String(index)));
  await end(jobId);
  let count = 0;
  for await (const line of followJobLogs(services, jobId, 0, new AbortController().signal)) {
    expect(line.output).toBe(String(count));
    count += 1;
  }
  expect(count).toBe(2500);
});

test('a follower resumes after the last line it got', async () => {
  const jobId = await givenRunningJob();
  await append(jobId, 'one', 'two', 'three');
  await end(jobId);
  const [, second] = await listJobLogs(prisma, jobId);
  const rest: string[] = [];
  for await (const line of followJobLogs(services, jobId, second?.id ?? 0, new AbortController().signal)) rest.push(line.output);
  expect(rest).toEqual(['three']);
});

test('a follower that leaves stops waiting', async () => {
  const jobId = await givenRunningJob();
  const leaving = new AbortController();
  const lines = followJobLogs(services, jobId, 0, leaving.signal);
  const next = lines.next();
  leaving.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

test('the log is read between two ids', async () => {
  const jobId = await givenRunningJob();
  await append(jobId, 'one', 'two', 'three');
  const [first, , third] = await listJobLogs(prisma, jobId);
  expect((await listJobLogs(prisma, jobId, { after: first?.id, before: third?.id })).map(({ output }) => output)).toEqual(['two']);
});
