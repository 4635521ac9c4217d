import { createHash } from 'node:crypto';
import { newId } from '@berth/core';
import type { Tx } from '@berth/db';
import type { Services } from '../kernel/context.ts';

export interface StoredFile {
  readonly id: string;
  /** False when the same user stored the same bytes before. */
  readonly isNew: boolean;
}

/** Keeps a tar, once per user and content. The tar must have been checked or made by us. */
export async function storeFile(
  db: Tx,
  services: Services,
  { tar, userId }: { tar: Uint8Array<ArrayBuffer>; userId: string },
): Promise<StoredFile> {
  const hash = new Uint8Array(createHash('sha256').update(tar).digest());
  const where = { hash_createdById: { hash, createdById: userId } };
  const known = await db.file.findUnique({ where, select: { id: true } });
  if (known !== null) return { id: known.id, isNew: false };
  const id = newId();
  // Two uploads of the same bytes at once: the second one keeps the first one's row.
  await db.file.createMany({
    data: [{ id, hash, createdById: userId, mimeType: 'application/x-tar', data: tar, createdAt: services.clock.now() }],
    skipDuplicates: true,
  });
  const stored = await db.file.findUniqueOrThrow({ where, select: { id: true } });
  return { id: stored.id, isNew: stored.id === id };
}
