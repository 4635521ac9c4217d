import type { Prisma } from '@berth/db';
import type { GivenJobStatus } from '@berth/testing';
import { given } from '@berth/testing';
import { beforeEach } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { runSchedules } from './run-schedules.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export interface GivenScheduled {
  readonly template?: Prisma.TemplateUncheckedUpdateInput;
  readonly workspace?: Prisma.WorkspaceUncheckedUpdateInput;
  /** The latest build; it was made and ended at `at`. */
  readonly transition?: 'start' | 'stop' | 'delete';
  readonly status?: GivenJobStatus;
  readonly at?: Date;
  readonly deadline?: Date;
}

/** An API whose every test begins without workspaces at a Wednesday noon, and has workspaces with schedules. Call at a file's top level. */
export async function createTestSchedules() {
  const testApi = await createTestApi();
  const { prisma, clock, services } = testApi;
  const make = given(prisma);

  function goTo(instant: string): void {
    clock.advance(new Date(instant).getTime() - clock.now().getTime());
  }

  beforeEach(async () => {
    goTo('2027-01-13T12:00:00Z');
    await prisma.workspace.updateMany({ data: { deleted: true } });
  });

  async function givenScheduled({ template = {}, workspace = {}, transition = 'stop', status, at, ...build }: GivenScheduled = {}) {
    const made = await make.workspace({ lastUsedAt: clock.now() });
    const time = at ?? clock.now();
    await prisma.template.update({ where: { id: made.template.id }, data: template });
    const row = await prisma.workspace.update({ where: { id: made.workspace.id }, data: workspace });
    const ended = status === 'pending' || status === 'running' ? {} : { startedAt: time, completedAt: time };
    const latest = await make.build({
      workspace: row,
      templateVersionId: made.version.id,
      transition,
      status: status ?? 'succeeded',
      createdAt: time,
      job: { createdAt: time, ...ended },
      ...(build.deadline === undefined ? {} : { deadline: build.deadline, deadlineRule: 'ttl' }),
    });
    return { ...made, workspace: row, ...latest };
  }

  const rowOf = (id: string) => prisma.workspace.findUniqueOrThrow({ where: { id } });
  /** The builds that came after the one given, oldest first. */
  const buildsOf = async (id: string) =>
    (
      await prisma.workspaceBuild.findMany({
        where: { workspaceId: id },
        orderBy: { buildNumber: 'asc' },
        select: { transition: true, reason: true, initiatorId: true, templateVersionId: true, createdAt: true, id: true, jobId: true },
      })
    ).slice(2);

  /** The job of the latest build ends now. */
  async function end(id: string, error = ''): Promise<void> {
    const { latestBuildId } = await rowOf(id);
    const build = await prisma.workspaceBuild.findUniqueOrThrow({ where: { id: latestBuildId ?? '' } });
    const now = clock.now();
    await prisma.provisionerJob.update({ where: { id: build.jobId }, data: { startedAt: now, completedAt: now, error } });
    await prisma.workspace.update({ where: { id }, data: { isRunning: build.transition === 'start' && error === '' } });
  }

  return { ...testApi, make, goTo, givenScheduled, rowOf, buildsOf, end, run: () => runSchedules(services) };
}
