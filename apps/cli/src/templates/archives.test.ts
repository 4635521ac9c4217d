import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';

import { expect, onTestFinished, test } from 'vitest';
import type { Header } from 'tar-stream';
import { pack } from 'tar-stream';

import { packFolder } from './pack-folder.ts';
import { changesBetween, isEmptyFolder, readArchive, writeFiles } from './read-archive.ts';

/** A folder with these files; content that begins with `->` makes a link. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'berth-template-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const place = path.join(folder, name);
    await mkdir(path.dirname(place), { recursive: true });
    await (content.startsWith('->') ? symlink(content.slice(2), place) : writeFile(place, content));
  }
  return folder;
}

type Entry = Partial<Header> & { readonly name: string };

function tarOf(...headers: Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const header of headers) archive.entry(header, header.type === undefined ? 'hostile' : '');
  archive.finalize();
  return buffer(archive);
}

test('what is packed comes out the same, and the same folder gives the same bytes', async () => {
  const folder = await folderWith({
    'berth.yaml': 'version: 1',
    'scripts/run.sh': '#!/bin/sh',
    'scripts/again': '->run.sh',
    '.berthignore': '',
  });
  await chmod(path.join(folder, 'scripts/run.sh'), 0o755);
  const packed = await packFolder(folder);
  expect(packed.files).toEqual(['.berthignore', 'berth.yaml', 'scripts/again', 'scripts/run.sh']);
  const copy = await folderWith({});
  await writeFiles(path.join(copy, 'new'), await readArchive(packed.tar));
  expect(await readFile(path.join(copy, 'new/berth.yaml'), 'utf8')).toBe('version: 1');
  expect(await readlink(path.join(copy, 'new/scripts/again'))).toBe('run.sh');
  expect((await stat(path.join(copy, 'new/scripts/run.sh'))).mode & 0o777).toBe(0o755);
  expect((await packFolder(path.join(copy, 'new'))).tar.equals(packed.tar)).toBe(true);
});

test('what ignore files name stays at home, each for its folder, and .berthignore has the last word', async () => {
  const folder = await folderWith({
    'main.tf': '',
    '.gitignore': '*.log\n/build\nsecret.auto.tfvars\n',
    '.berthignore': '!keep.log\n.gitignore\n.berthignore\n',
    'a.log': '',
    'keep.log': '',
    'build/out': '',
    'deep/build/in': '',
    'deep/.gitignore': 'here\n.gitignore\n!b.log\n',
    'deep/here': '',
    'deep/b.log': '',
    'secret.auto.tfvars': '',
    '.git/config': '',
    '.terraform/providers': '',
    'terraform.tfstate': '',
  });
  expect((await packFolder(folder)).files).toEqual(['deep/b.log', 'deep/build/in', 'keep.log', 'main.tf']);
});

test.each(['->/etc/passwd', '->../outside', '->a/../../outside'])('a folder with the link %s is refused', async (link) => {
  await expect(packFolder(await folderWith({ a: '', link }))).rejects.toThrow('points outside of the folder');
});

test('an empty folder is no template', async () => {
  await expect(packFolder(await folderWith({ '.git/config': '' }))).rejects.toThrow('no files to upload');
});

test.each<Entry>([
  { name: '../evil' },
  { name: '/tmp/evil' },
  { name: 'a/../../evil' },
  { name: String.raw`..\evil` },
  { name: 'C:/evil' },
  { name: 'link', type: 'symlink', linkname: '../evil' },
  { name: 'link', type: 'symlink', linkname: '/etc' },
  { name: 'link', type: 'link', linkname: '../evil' },
  { name: 'pipe', type: 'fifo' },
])('security: an archive with $name ($type $linkname) is refused', async (header) => {
  await expect(tarOf(header).then(readArchive)).rejects.toThrow(/points outside|neither/);
});

test('security: nothing is written through a link that is there already, nor through one of the archive', async () => {
  const outside = await folderWith({ victim: 'mine' });
  const folder = await folderWith({ scripts: `->${outside}`, file: `->${path.join(outside, 'victim')}` });
  const files = await readArchive(await tarOf({ name: 'scripts/evil' }));
  await expect(writeFiles(folder, files)).rejects.toThrow('is not a folder');
  await writeFiles(folder, await readArchive(await tarOf({ name: 'file' })));
  expect(await readFile(path.join(outside, 'victim'), 'utf8')).toBe('mine');
  expect((await lstat(path.join(folder, 'file'))).isFile()).toBe(true);
  const twisted = await readArchive(await tarOf({ name: 'in', type: 'symlink', linkname: '.' }, { name: 'in/file' }));
  await expect(writeFiles(await folderWith({}), twisted)).rejects.toThrow();
  await expect(stat(path.join(outside, 'evil'))).rejects.toThrow('ENOENT');
});

test('rubbish is no archive', async () => {
  await expect(readArchive(Buffer.from('x'.repeat(2000)))).rejects.toThrow('not a valid tar file');
});

test('changes between two archives are named', async () => {
  const files = async (content: Readonly<Record<string, string>>) => readArchive((await packFolder(await folderWith(content))).tar);
  const before = await files({ same: '1', changed: '1', gone: '1' });
  expect(changesBetween(before, await files({ same: '1', changed: '2', new: '1' }))).toEqual({
    added: ['new'],
    changed: ['changed'],
    removed: ['gone'],
  });
});

test('a folder that is not there is empty', async () => {
  const folder = await folderWith({ a: '' });
  expect(await isEmptyFolder(folder)).toBe(false);
  expect(await isEmptyFolder(path.join(folder, 'none'))).toBe(true);
});
