import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { counted } from '@berth/core';
import { defineCommand, flag, optional, text } from '../../frame/declare.ts';
import { conflictError } from '../../frame/errors.ts';
import { findTemplate, findVersion, ORGANIZATION_OPTION, TEMPLATE_ARGUMENT } from '../../templates/find-template.ts';
import { isEmptyFolder, readArchive, writeFiles } from '../../templates/read-archive.ts';
import { downloadArchive, withArchiveErrors } from '../../templates/send-version.ts';

export const pullTemplate = defineCommand({
  name: 'pull',
  summary: 'Download the files of a template',
  description: 'Writes the files of the active version, or of another one, to a folder or a tar file.',
  args: { ...TEMPLATE_ARGUMENT, folder: optional('The folder; named like the template unless given', { complete: 'file' }) },
  options: {
    ...ORGANIZATION_OPTION,
    version: text('--version <name>', 'The version; the active one unless given'),
    tar: text('--tar <file>', 'Write a tar file instead; - for standard output', { complete: 'file' }),
    force: flag('-f, --force', 'Write to a folder that is not empty, and replace files of the same name'),
  },
  examples: [
    'berth templates pull node',
    'berth templates pull node ./old --version humble_port',
    'berth templates pull node --tar - | tar tv',
  ],
  prints: true,
  async run(cli, { args, options }) {
    const template = await findTemplate(cli, args.template, options.organization);
    const version = await findVersion(cli, template, options.version);
    const tar = await cli.during(`Downloading ${version.name}`, () => downloadArchive(cli, version));
    if (options.tar === '-') {
      await new Promise<void>((resolve, reject) => cli.io.stdout.write(tar, (error) => (error ? reject(error) : resolve())));
      return;
    }
    if (options.tar !== undefined) {
      await writeFile(path.resolve(cli.io.cwd, options.tar), tar, { flag: options.force ? 'w' : 'wx' }).catch((cause: unknown) => {
        if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
        throw conflictError(`${options.tar} already exists.`, { cause, next: 'Replace it with --force' });
      });
      return cli.out.done(`Downloaded ${version.name} of ${template.name} to ${options.tar}.`, { file: options.tar, version });
    }
    const shown = args.folder ?? template.name;
    const folder = path.resolve(cli.io.cwd, shown);
    if (!options.force && !(await isEmptyFolder(folder))) {
      throw conflictError(`The folder ${shown} is not empty.`, { next: 'To replace files of the same name, add --force.' });
    }
    const files = await withArchiveErrors(async () => {
      const read = await readArchive(tar);
      await writeFiles(folder, read);
      return read.map((file) => file.path);
    });
    await cli.out.done(`Downloaded ${version.name} of ${template.name} to ${shown}: ${counted(files.length, 'file')}.`, {
      folder,
      files,
      version,
    });
  },
});
