import { createHash } from 'node:crypto';
import { newId } from '@berth/core';
import type { File, PrismaClient } from '@berth/db';
import { writeTar } from '../files/tar.ts';

const PROCESS = 'version: 1\nname: Test\nresources:\n  - name: main\n    type: process\n';

/** An uploaded template: an archive of these files, else one for a process. */
export async function givenTemplateFile(
  prisma: PrismaClient,
  { createdById, files = { 'berth.yaml': PROCESS } }: { readonly createdById: string; readonly files?: Readonly<Record<string, string>> },
): Promise<File> {
  const id = newId();
  const entries = Object.entries({ ...files, 'unique.txt': id });
  const data = await writeTar(entries.map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text), isExecutable: false })));
  const hash = new Uint8Array(createHash('sha256').update(data).digest());
  return prisma.file.create({ data: { id, hash, createdById, mimeType: 'application/x-tar', data } });
}
