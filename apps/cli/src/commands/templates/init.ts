import path from 'node:path';

import { defineCommand, flag, optional, text } from '../../frame/declare.ts';
import { conflictError, usageError } from '../../frame/errors.ts';
import { packFolder } from '../../templates/pack-folder.ts';
import { isEmptyFolder, readArchive, writeFiles } from '../../templates/read-archive.ts';
import { listStarters } from '../../templates/starters.ts';

export const initTemplate = defineCommand({
  name: 'init',
  summary: 'Create a template folder from a starter',
  description: 'Copies a starter template into a folder, where you can change it and push it. Needs no server.',
  args: { folder: optional('The folder; named like the starter unless given', { complete: 'file' }) },
  options: { starter: text('-s, --starter <name>', 'The starter; asks unless given'), list: flag('--list', 'Only list the starters') },
  examples: ['berth templates init', 'berth templates init --list', 'berth templates init my-shell --starter shell'],
  prints: true,
  isLocal: true,
  async run(cli, { args, options }) {
    const starters = await listStarters();
    if (options.list) {
      const rows = starters.map(({ name, title, description }) => ({ name, title, description }));
      return cli.out.list(
        rows,
        [
          { id: 'name', title: 'Name', value: (row) => row.name },
          { id: 'title', title: 'Title', value: (row) => row.title },
          { id: 'description', title: 'Description', value: (row) => row.description },
        ],
        { empty: 'There are no starters.' },
      );
    }
    const name =
      options.starter ??
      (await cli.ask.choose({
        message: 'Starter',
        flag: '--starter <name>',
        choices: starters.map((starter) => ({ value: starter.name, name: starter.title, description: starter.description })),
      }));
    const starter = starters.find((one) => one.name === name);
    if (starter === undefined) {
      throw usageError(`Unknown starter "${name}".`, { next: `Starters: ${starters.map((one) => one.name).join(', ')}` });
    }
    const shown = args.folder ?? starter.name;
    const folder = path.resolve(cli.io.cwd, shown);
    if (!(await isEmptyFolder(folder))) {
      throw conflictError(`The folder ${shown} is not empty.`, { next: 'Give another one: berth templates init <folder>' });
    }
    const { tar, files } = await packFolder(starter.folder);
    await writeFiles(folder, await readArchive(tar));
    await cli.out.done(`Copied the starter "${starter.title}" to ${shown}.`, { folder, starter: starter.name, files });
    cli.out.note(`Next: berth templates push ${shown}`);
  },
});
