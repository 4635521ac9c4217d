import type { TemplateVersion } from '@berth/api/contract/template-versions';
import type { Template } from '@berth/api/contract/templates';
import { z } from 'zod';

import type { Cli } from '../frame/cli.ts';
import { CliError, EXIT } from '../frame/errors.ts';
import { refused } from '../frame/refused.ts';
import { ArchiveError } from './archive-path.ts';
import { followJob } from './follow-job.ts';
import { whyPending } from './why-pending.ts';

const Uploaded = z.object({ hash: z.uuid() });

/** Uploads an archive and answers the file's id; the same bytes have the same id. */
export async function uploadArchive(cli: Cli, tar: Buffer): Promise<string> {
  const response = await cli.session().fetch('/api/v2/files', {
    method: 'POST',
    headers: { 'content-type': 'application/x-tar' },
    body: new Uint8Array(tar),
  });
  if (!response.ok) throw await refused(response);
  return Uploaded.parse(await response.json()).hash;
}

/** The archive of a version. */
export async function downloadArchive(cli: Cli, { job }: Pick<TemplateVersion, 'job'>): Promise<Buffer> {
  const response = await cli.session().fetch(`/api/v2/files/${job.file_id}?format=tar`);
  if (!response.ok) throw await refused(response);
  return Buffer.from(await response.arrayBuffer());
}

export interface NewVersion {
  readonly organization: string;
  readonly fileId: string;
  /** Undefined for a version that no template has yet. */
  readonly template: Template | undefined;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly variables: ReadonlyMap<string, string>;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Creates a version and starts its import. */
export async function makeVersion(
  cli: Cli,
  { organization, fileId, template, name, message, variables, tags = {} }: NewVersion,
): Promise<TemplateVersion> {
  const { templateVersions } = cli.session().client;
  return templateVersions.create.mutate({
    organization,
    file_id: fileId,
    storage_method: 'file',
    // The files say for which driver they are.
    provisioner: 'process',
    user_variable_values: [...variables].map(([variable, value]) => ({ name: variable, value })),
    tags: { ...tags },
    ...(template === undefined ? {} : { template_id: template.id }),
    ...(name === undefined ? {} : { name }),
    ...(message === undefined ? {} : { message }),
  });
}

/** Prints the log of an import until it ends. @throws CliError with the reason when the import fails. */
export async function followImport(
  cli: Cli,
  version: TemplateVersion,
  { timeoutMs, next }: { readonly timeoutMs: number | undefined; readonly next: string },
): Promise<TemplateVersion> {
  const { templateVersions } = cli.session().client;
  const path = { templateversion: version.id };
  const job = await followJob(cli, {
    title: `Importing ${version.name}`,
    job: async () => (await templateVersions.get.query(path)).job,
    lines: (after) => templateVersions.logs.query({ ...path, after }),
    whyPending: async () => whyPending('import', await templateVersions.get.query(path)),
    timeoutMs,
    next,
  });
  if (job.status === 'succeeded') return templateVersions.get.query(path);
  if (job.status !== 'failed') throw new CliError(EXIT.failed, `The import of ${version.name} is ${job.status}.`);
  const isIncomplete = job.error_code === 'REQUIRED_TEMPLATE_VARIABLES';
  throw new CliError(isIncomplete ? EXIT.usage : EXIT.failed, job.error === '' ? `The import of ${version.name} failed.` : job.error, {
    next: isIncomplete ? 'Set each with --variable <name=value>' : 'See the log above.',
  });
}

/** What is wrong with a folder or an archive is the user's to fix. */
export async function withArchiveErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof ArchiveError ? new CliError(EXIT.usage, cause.message, { cause }) : cause;
  }
}
