import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { AuditExportFormat } from '@berth/api/contract/audit';

import { FILTER_ARGUMENT } from '../../audit/entries.ts';
import type { Cli } from '../../frame/cli.ts';
import { choice, defineCommand, text } from '../../frame/declare.ts';
import { unreachable } from '../../frame/errors.ts';
import { refused } from '../../frame/refused.ts';

const FORMATS = ['ndjson', 'csv'] as const satisfies readonly AuditExportFormat[];

export const exportAudit = defineCommand({
  name: 'export',
  summary: 'Write the audit log, or a part of it, to a file or to standard output',
  description:
    'Writes every row that matches, newest first, of one instant, as lines of JSON or as CSV. It takes no memory to speak of, however many there are. A file is only there under its name once it is whole. The audit log records the export.',
  args: FILTER_ARGUMENT,
  options: {
    format: choice('--format <format>', 'How to write it; ndjson unless given', FORMATS),
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
      await cli.during(`Exporting ${total} rows`, async (progress) => {
        const counted = async function* () {
          for await (const part of partsOf(response)) {
            yield part;
            bytes += part.length;
            progress.update(`Exporting ${total} rows: ${Math.ceil(bytes / 1024)} KiB`);
          }
        };
        await pipeline(Readable.from(counted()), createWriteStream(draft, { flags: 'wx', mode: 0o600 }), { signal: cli.signal });
      });
      await rename(draft, target);
    } catch (error) {
      // Nobody reads on: the server need not write on.
      if (response.body?.locked === false) await response.body.cancel();
      await rm(draft, { force: true });
      throw error;
    }
    cli.out.note(`${file} has ${total} rows.`);
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
