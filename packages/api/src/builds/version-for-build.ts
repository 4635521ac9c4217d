import { DomainError, invalidField } from '@berth/core';
import type { Prisma, Tx } from '@berth/db';
import { jobStatus } from '@berth/domain';
import { z } from 'zod';

export const buildVersionSelect = {
  id: true,
  name: true,
  templateId: true,
  archived: true,
  workspaceTags: true,
  job: {
    select: { fileId: true, tags: true, provisioner: true, startedAt: true, completedAt: true, canceledAt: true, error: true },
  },
} as const satisfies Prisma.TemplateVersionSelect;
export type BuildVersionRow = Prisma.TemplateVersionGetPayload<{ select: typeof buildVersionSelect }>;

/**
 * The version to build from. It must be one of `templateId`, and its import must be done.
 *
 * @throws invalid for a version that does not exist, is of another template, or failed to import; not_ready while it is imported.
 */
export async function loadVersionForBuild(db: Tx, versionId: string, templateId: string): Promise<BuildVersionRow> {
  const version = await db.templateVersion.findUnique({ where: { id: versionId }, select: buildVersionSelect });
  // A version of another template looks like none at all: the caller may have no right to know of it.
  if (version === null || version.templateId !== templateId) {
    throw invalidField('template_version_id', 'is not a version of the template of this workspace');
  }
  requireImported(version);
  return version;
}

const Tags = z.record(z.string(), z.string());

/** The tags of a version's builds: those of its import, and those that the template gives workspaces. An empty one overrides nothing. */
export function buildTags({
  job,
  workspaceTags,
}: Pick<BuildVersionRow, 'workspaceTags'> & { job: { tags: BuildVersionRow['job']['tags'] } }) {
  const given = Object.entries(Tags.parse(workspaceTags)).filter(([, value]) => value !== '');
  return { ...Tags.parse(job.tags), ...Object.fromEntries(given) };
}

/** Refuses a version whose import is not done, or went wrong. */
export function requireImported(version: BuildVersionRow): void {
  const status = jobStatus(version.job);
  switch (status) {
    case 'succeeded':
      return;
    case 'pending':
    case 'running':
    case 'canceling':
      throw new DomainError('not_ready', 'The template version is still being imported. Try again when it is done.');
    case 'failed':
    case 'canceled':
    case 'unknown':
      throw invalidField('template_version_id', `the import of this version has ${status === 'canceled' ? 'been canceled' : 'failed'}`);
  }
}
