import type { JobLogLevel } from '@berth/protocol';
import { z } from 'zod';
import type { DriverLog, ResourceTiming } from '../../driver.ts';
import { onOneLine, plainText } from './stderr-text.ts';

const Range = z.object({ filename: z.string(), start: z.object({ line: z.number() }) });

const Diagnostic = z.object({
  severity: z.string(),
  summary: z.string(),
  detail: z.string().default(''),
  address: z.string().optional(),
  range: Range.optional(),
  snippet: z.object({ context: z.string().nullish(), code: z.string(), start_line: z.number() }).optional().catch(undefined),
});
type Diagnostic = z.output<typeof Diagnostic>;

const Hook = z.object({
  action: z.string().default(''),
  provisioner: z.string().default(''),
  resource: z.object({ addr: z.string(), implied_provider: z.string().default('') }),
});

const Line = z.looseObject({
  '@level': z.string().default('info'),
  '@message': z.string().default(''),
  '@timestamp': z.string().default(''),
  type: z.string().default(''),
  hook: z.unknown().optional(),
  diagnostic: z.unknown().optional(),
});
type Line = z.output<typeof Line>;

/** Enough for any build; what a timeline can hold is bounded. */
const TIMINGS_MAX = 900;
const RESOURCE_MAX = 256;

export interface UiLinesOptions {
  readonly stage: ResourceTiming['stage'];
  /** What is written has no secret in it any more. */
  readonly log: DriverLog;
}

/**
 * Understands what `terraform plan -json` and `apply -json` say, a line at a time: writes it to the log at its level, collects what took
 * how long, and keeps the errors.
 */
export class UiLines {
  readonly timings: ResourceTiming[] = [];
  readonly errors: string[] = [];
  readonly #options: UiLinesOptions;
  readonly #started = new Map<string, Date>();
  readonly #said = new Set<string>();

  constructor(options: UiLinesOptions) {
    this.#options = options;
  }

  read(text: string): void {
    if (text.trim() === '') return;
    const line = parseLine(text);
    if (line === undefined) {
      this.#options.log('info', text);
      return;
    }
    const diagnostic = Diagnostic.safeParse(line.diagnostic);
    if (line.type === 'diagnostic' && diagnostic.success) {
      this.#diagnose(diagnostic.data);
      return;
    }
    this.#time(line);
    this.#options.log(levelOf(line), line['@message']);
  }

  #diagnose(diagnostic: Diagnostic): void {
    const isError = diagnostic.severity === 'error';
    const text = [`${isError ? 'Error' : 'Warning'}: ${diagnostic.summary}`, ...placeOf(diagnostic), ...detailOf(diagnostic)].join('\n');
    // Some providers say everything twice.
    if (this.#said.has(text)) return;
    this.#said.add(text);
    if (isError) this.errors.push(sentenceOf(diagnostic));
    this.#options.log(isError ? 'error' : 'warn', text);
  }

  #time(line: Line): void {
    const [, kind, phase] = /^(apply|provision|refresh)_(start|complete|errored)$/.exec(line.type) ?? [];
    const hook = Hook.safeParse(line.hook);
    const at = new Date(line['@timestamp']);
    if (kind === undefined || !hook.success || Number.isNaN(at.getTime())) return;
    const { action, provisioner, resource } = hook.data;
    const key = [kind, provisioner, resource.addr].join(' ');
    if (phase === 'start') {
      this.#started.set(key, at);
      return;
    }
    const startedAt = this.#started.get(key);
    if (startedAt === undefined || this.timings.length >= TIMINGS_MAX) return;
    this.#started.delete(key);
    this.timings.push({
      stage: this.#options.stage,
      source: clip(resource.implied_provider || 'terraform', 128),
      action: clip(kind === 'refresh' ? 'read' : kind === 'provision' ? `provision ${provisioner}`.trim() : action || kind, 128),
      resource: clip(resource.addr, RESOURCE_MAX),
      startedAt,
      // The lines of one run come from several hands and may be microseconds out of order.
      endedAt: at < startedAt ? startedAt : at,
    });
  }
}

function parseLine(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const parsed = Line.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function levelOf(line: Line): JobLogLevel {
  // What Terraform itself is, and what it is going to do with which file: for whoever looks closer.
  if (line.type === 'version' || line.type === 'outputs') return 'debug';
  const level = line['@level'];
  return level === 'trace' || level === 'debug' || level === 'warn' || level === 'error' ? level : 'info';
}

/** One line for the error of a job: what, and where. */
function sentenceOf({ summary, detail, address, range }: Diagnostic): string {
  const place = range === undefined ? (address ?? '') : `${range.filename} line ${range.start.line}`;
  const what = detail === '' ? summary : `${summary}: ${onOneLine(detail)}`;
  return place === '' ? what : `${place}: ${what}`;
}

function placeOf({ address, range, snippet }: Diagnostic): string[] {
  const lines = address === undefined || address === '' ? [] : [`  with ${address},`];
  if (range === undefined) return lines;
  lines.push(`  on ${range.filename} line ${range.start.line}${snippet?.context ? `, in ${snippet.context}` : ''}:`);
  const code = (snippet?.code ?? '').split('\n').filter((text, index, all) => text !== '' || index < all.length - 1);
  return [...lines, ...code.slice(0, 20).map((text, index) => `  ${(snippet?.start_line ?? 0) + index}: ${text}`)];
}

function detailOf({ detail }: Diagnostic): string[] {
  return detail === '' ? [] : ['', ...plainText(detail).trimEnd().split('\n')];
}

function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
