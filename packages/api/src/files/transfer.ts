import { DomainError, forbidden, invalid, notFound, unauthenticated } from '@berth/core';
import { can, fileObject, templateObject } from '@berth/rbac';
import type { Context, Principal, UserPrincipal } from '../kernel/context.ts';
import { Acl } from '../templates/acl.ts';
import { USER_AUTH_KEY_ID } from '../provisioner-daemons/index.ts';
import type { DownloadFormat } from './contract.ts';
import { MAX_UPLOAD_BYTES, UPLOAD_MIME_TYPES } from './contract.ts';
import type { StoredFile } from './store-file.ts';
import { storeFile } from './store-file.ts';
import { readTar, writeTar } from './tar.ts';
import { readZip, writeZip } from './zip.ts';

export interface Upload {
  /** The Content-Type, exactly one of `UPLOAD_MIME_TYPES`. */
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/**
 * Stores an archive of the caller, once per content; a zip is stored as tar. What could write outside of its folder when it is
 * unpacked, or grow beyond all bounds, is refused.
 *
 * @throws unauthenticated, forbidden, invalid, too_large
 */
export async function uploadFile(context: Context, { mimeType, bytes }: Upload): Promise<StoredFile> {
  const { services } = context;
  const principal = await context.authenticate();
  if (principal.kind !== 'user') throw unauthenticated();
  if (!can(principal.subject, 'create', fileObject({ createdBy: principal.userId }))) throw forbidden();
  const type = UPLOAD_MIME_TYPES.find((known) => known === mimeType);
  if (type === undefined) throw invalid(`The Content-Type must be one of: ${UPLOAD_MIME_TYPES.join(', ')}.`);
  if (bytes.byteLength > MAX_UPLOAD_BYTES) throw new DomainError('too_large', `A file has at most ${MAX_UPLOAD_BYTES} bytes.`);

  let tar: Uint8Array<ArrayBuffer>;
  if (type === 'application/x-tar') {
    await readTar(bytes, { keepBytes: false });
    tar = new Uint8Array(bytes);
  } else {
    tar = await writeTar(readZip(bytes));
  }
  return storeFile(services.prisma, services, { tar, userId: principal.userId });
}

export interface Download {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/**
 * The bytes of a stored archive, for its uploader, for who may read files or update a template that uses it, and for provisioners of
 * an organization in which a job uses it. Everyone else learns nothing.
 *
 * @throws unauthenticated, notFound
 */
export async function downloadFile(context: Context, fileId: string, format?: DownloadFormat): Promise<Download> {
  const { prisma } = context.services;
  const principal = await context.authenticate();
  if (principal.kind !== 'user' && principal.kind !== 'provisioner') throw unauthenticated();
  const facts = await prisma.file.findUnique({ where: { id: fileId }, select: { id: true, createdById: true } });
  if (facts === null || !(await mayDownload(context, principal, facts))) throw notFound();
  const { data, mimeType } = await prisma.file.findUniqueOrThrow({ where: { id: fileId }, select: { data: true, mimeType: true } });
  if (format !== 'zip') return { mimeType, bytes: data };
  return { mimeType: 'application/zip', bytes: writeZip(await readTar(data, { keepBytes: true })) };
}

async function mayDownload(
  context: Context,
  principal: Extract<Principal, { kind: 'user' | 'provisioner' }>,
  file: { id: string; createdById: string },
): Promise<boolean> {
  const { prisma } = context.services;
  if (principal.kind === 'provisioner') {
    const job = await prisma.provisionerJob.findFirst({
      where: { fileId: file.id, organizationId: principal.organizationId },
      select: { id: true },
    });
    return job !== null;
  }
  if (can(principal.subject, 'read', fileObject({ id: file.id, createdBy: file.createdById }))) return true;
  return (await hasItInHand(context, principal, file.id)) || (await mayUpdateItsTemplate(context, principal, file.id));
}

/** A person's own daemon comes with their API key: it gets the archive of a job that it has right now. */
async function hasItInHand({ services }: Context, { userId }: UserPrincipal, fileId: string): Promise<boolean> {
  const job = await services.prisma.provisionerJob.findFirst({
    where: { fileId, leaseToken: { not: null }, worker: { keyId: USER_AUTH_KEY_ID, tags: { path: ['owner'], equals: userId } } },
    select: { id: true },
  });
  return job !== null;
}

async function mayUpdateItsTemplate(context: Context, principal: UserPrincipal, fileId: string): Promise<boolean> {
  const templates = await context.services.prisma.template.findMany({
    where: { deleted: false, versions: { some: { job: { fileId } } } },
    select: { id: true, organizationId: true, userAcl: true, groupAcl: true },
    take: 100,
  });
  return templates.some((template) =>
    can(
      principal.subject,
      'update',
      templateObject({ ...template, userAcl: Acl.parse(template.userAcl), groupAcl: Acl.parse(template.groupAcl) }),
    ),
  );
}
