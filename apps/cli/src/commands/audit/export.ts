import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { AuditExportFormat } from '@berth/api/contract/audit';

import { FILTER_ARGUMENT } from '../../audit/entries.ts';
import { counted } from '@berth/core';
import type { Cli } from '../../frame/cli.ts';
import { choice, defineCommand, text } from '../../frame/declare.ts';
import { unreachable } from '../../frame/errors.ts';
import { refused } from '../../frame/refused.ts';

const FORMATS = ['ndjson', 'csv'] as const satisfies readonly AuditExportFormat[];

export const exportAudit = defineCommand({
  name: 'export',
  summary: 'Export the audit log to a file or to standard output',
  description:
    'Exports a consistent snapshot of every row that matches, newest first, as lines of JSON or as CSV. The file appears under its name once it is complete. The audit log records the export.',
  args: FILTER_ARGUMENT,
  options: {
    format: choice('--format <format>', 'The format; ndjson unless given', FORMATS),
    file: text('--file <file>', 'The file; standard output unless given', { complete: 'file' }),
  },
  fields: { q: '<filter>' },
  examples: [
    'berth audit export > audit.ndjson',
    'berth audit export date_from:2026-11-01 date_to:2026-11-30 --format csv --file november.csv',
  ],
  prints: false,
  async run(cli, { args, options }) {
    const format = options.format ?? 'ndjson';
    const { file } = options;
    const query = new URLSearchParams({ format, ...(args.filter.length === 0 ? {} : { q: args.filter.join(' ') }) });
    const response = await cli.session().stream(`/api/v2/audit/export?${query}`);
    if (!response.ok) throw await refused(response);
    if (file === undefined) {
      await pipeline(partsOf(response), passedTo(cli.io.stdout), { signal: cli.signal });
      return;
    }
    const target = path.resolve(cli.io.cwd, file);
    const draft = `${target}.${process.pid}.part`;
    const total = Number(response.headers.get('x-total-count') ?? 0);
    let bytes = 0;
    try {
      await cli.during(`Exporting ${counted(total, 'row')}`, async (progress) => {
        const measured = async function* () {
          for await (const part of partsOf(response)) {
            yield part;
            bytes += part.length;
            progress.update(`Exporting ${counted(total, 'row')}: ${Math.ceil(bytes / 1024)} KiB`);
          }
        };
        await pipeline(Readable.from(measured()), createWriteStream(draft, { flags: 'wx', mode: 0o600 }), { signal: cli.signal });
      });
      await rename(draft, target);
    } catch (error) {
      // Nobody reads on: the server need not write on.
      if (response.body?.locked === false) await response.body.cancel();
      await rm(draft, { force: true });
      throw error;
    }
    cli.out.note(`Exported ${counted(total, 'row')} to ${file}.`);
  },
});

/** The parts of an answer. One that breaks off says so as any lost connection does. */
async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array, void, void> {
  if (body === null) return;
  try {
    yield* body;
  } catch (cause) {
    throw unreachable(cause);
  }
}

/** Standard output stays open for whatever comes after. */
function passedTo(stdout: Cli['io']['stdout']): Writable {
  return new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, () => done()) });
}
