import { newId } from '@berth/core';
import type { File, Prisma, PrismaClient, ProvisionerJob } from '@berth/db';

/** A small file that its creator uploaded; no real archive unless `data` is given. */
export async function givenFile(
  prisma: PrismaClient,
  overrides: Partial<Prisma.FileUncheckedCreateInput> & { readonly createdById: string },
): Promise<File> {
  const id = newId();
  const bytes = new TextEncoder().encode(id);
  return prisma.file.create({ data: { id, hash: bytes, mimeType: 'application/x-tar', data: bytes, ...overrides } });
}

export const GIVEN_JOB_STATUSES = ['pending', 'running', 'succeeded', 'canceling', 'canceled', 'failed'] as const;
export type GivenJobStatus = (typeof GIVEN_JOB_STATUSES)[number];

/** The columns from which a job's status is derived. */
export function jobColumns(status: GivenJobStatus, at: Date = new Date()): Partial<Prisma.ProvisionerJobUncheckedCreateInput> {
  switch (status) {
    case 'pending':
      return {};
    case 'running':
      return { startedAt: at };
    case 'succeeded':
      return { startedAt: at, completedAt: at };
    case 'canceling':
      return { startedAt: at, canceledAt: at };
    case 'canceled':
      return { startedAt: at, canceledAt: at, completedAt: at };
    case 'failed':
      return { startedAt: at, completedAt: at, error: 'it broke' };
  }
}

export interface GivenJob extends Partial<Prisma.ProvisionerJobUncheckedCreateInput> {
  readonly organizationId: string;
  readonly initiatorId: string;
  readonly status?: GivenJobStatus;
}

/** A job, `succeeded` unless told otherwise, of an import unless `kind` says more. */
export async function givenJob(prisma: PrismaClient, { status = 'succeeded', ...overrides }: GivenJob): Promise<ProvisionerJob> {
  const fileId = overrides.fileId ?? (await givenFile(prisma, { createdById: overrides.initiatorId })).id;
  return prisma.provisionerJob.create({
    data: {
      id: newId(),
      kind: 'template_version_import',
      provisioner: 'process',
      tags: { scope: 'organization', owner: '' },
      requestId: newId(),
      ...jobColumns(status),
      ...overrides,
      fileId,
    },
  });
}
