import { uploadArchive } from '../../api/upload.ts';
import { tarOf } from '../template-files/tar.ts';

/** Uploads what somebody chose: an archive as it is (unpacked from gzip first), or loose files packed as one. Answers the file's id. */
export async function uploadFiles(files: readonly File[]): Promise<string> {
  const [only] = files;
  if (only === undefined) throw new Error('Choose the files of the template.');
  if (files.length === 1) {
    if (/\.zip$/i.test(only.name)) return await uploadArchive(only, 'application/zip');
    const tar = await tarOfFile(only);
    if (tar !== undefined) return await uploadArchive(tar, 'application/x-tar');
  }
  const packed = await Promise.all(files.map(async (file) => ({ path: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
  return await uploadArchive(tarOf(packed), 'application/x-tar');
}

/** The tar archive that a file is, unpacked from gzip where necessary; undefined for other files. */
export async function tarOfFile(file: File): Promise<Blob | undefined> {
  if (/\.tar$/i.test(file.name)) return file;
  if (!/\.(?:tgz|tar\.gz)$/i.test(file.name)) return undefined;
  return await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).blob();
}
