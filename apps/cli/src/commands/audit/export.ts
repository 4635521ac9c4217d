import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { auditEntries, FILTER_ARGUMENT } from '../../audit/entries.ts';
import { EXPORT_FORMATS, headOf, lineOf } from '../../audit/formats.ts';
import type { ExportFormat } from '../../audit/formats.ts';
import type { Cli } from '../../frame/cli.ts';
import { choice, defineCommand, text } from '../../frame/declare.ts';

export const exportAudit = defineCommand({
  name: 'export',
  summary: 'Write the audit log, or a part of it, to a file or to standard output',
  description:
    'Writes every row that matches, newest first, as lines of JSON or as CSV. It takes no memory to speak of, however many there are. A file is only there under its name once it is whole.',
  args: FILTER_ARGUMENT,
  options: {
    format: choice('--format <format>', 'How to write it; ndjson unless given', EXPORT_FORMATS),
    file: text('--file <file>', 'The file; standard output unless given', { complete: 'file' }),
  },
  examples: [
    'berth audit export > audit.ndjson',
    'berth audit export date_from:2026-11-01 date_to:2026-11-30 --format csv --file november.csv',
  ],
  prints: false,
  async run(cli, { args, options }) {
    const format = options.format ?? 'ndjson';
    const { file } = options;
    if (file === undefined) {
      await pipeline(Readable.from(lines(cli, args.filter, format)), passedTo(cli.io.stdout), { signal: cli.signal });
      return;
    }
    const target = path.resolve(cli.io.cwd, file);
    const draft = `${target}.${process.pid}.part`;
    let count = 0;
    try {
      await cli.during('Exporting', async (progress) => {
        const counted = async function* () {
          for await (const line of lines(cli, args.filter, format)) {
            yield line;
            count += 1;
            if (count % 1000 === 0) progress.update(`Exporting: ${count} rows`);
          }
        };
        await pipeline(Readable.from(counted()), createWriteStream(draft, { flags: 'wx', mode: 0o600 }), { signal: cli.signal });
      });
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    cli.out.note(`${file} has ${count - (headOf(format) === '' ? 0 : 1)} rows.`);
  },
});

async function* lines(cli: Cli, filter: readonly string[], format: ExportFormat): AsyncGenerator<string, void, void> {
  const head = headOf(format);
  if (head !== '') yield head;
  for await (const row of auditEntries(cli, filter)) yield lineOf(row, format);
}

/** Standard output stays open for whatever comes after. */
function passedTo(stdout: Cli['io']['stdout']): Writable {
  return new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, () => done()) });
}
