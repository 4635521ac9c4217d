import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobLogLevel } from '@berth/protocol';
import { describe, expect, it } from 'vitest';
import { UiLines } from './ui-lines.ts';

const RECORDED = join(import.meta.dirname, '../../testing/fixtures/terraform/recorded');

function lines(stage: 'plan' | 'apply' = 'apply') {
  const said: [JobLogLevel, string][] = [];
  const ui = new UiLines({ stage, log: (level, output) => void said.push([level, output]) });
  return { ui, said, read: (...objects: object[]) => objects.forEach((object) => ui.read(JSON.stringify(object))) };
}

const hook = (type: string, timestamp: string, given: object = {}) => ({
  '@level': 'info',
  '@message': type,
  '@timestamp': timestamp,
  type,
  hook: { resource: { addr: 'a_b.c', implied_provider: 'a' }, action: 'create', ...given },
});

describe('what Terraform says line by line', () => {
  it('becomes the times of everything that it made, as recorded', async () => {
    const { ui, said } = lines();
    for (const line of (await readFile(join(RECORDED, 'start-apply.jsonl'), 'utf8')).split('\n')) ui.read(line);
    expect(ui.timings).toHaveLength(14);
    expect(ui.timings).toContainEqual(
      expect.objectContaining({ stage: 'apply', source: 'coder', action: 'create', resource: 'coder_agent.dev' }),
    );
    for (const { startedAt, endedAt } of ui.timings) expect(endedAt.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
    expect(said).toContainEqual(['info', 'Apply complete! Resources: 14 added, 0 changed, 0 destroyed.']);
    expect(said.filter(([, output]) => output.startsWith('{'))).toEqual([]);
    expect(ui.errors).toEqual([]);
  });

  it('tells steps of one resource apart, also one that fails and one that never ends', () => {
    const { ui, read } = lines();
    read(
      hook('apply_start', '2026-01-01T00:00:00Z'),
      hook('provision_start', '2026-01-01T00:00:01Z', { provisioner: 'local-exec' }),
      hook('provision_errored', '2026-01-01T00:00:03Z', { provisioner: 'local-exec' }),
      hook('apply_errored', '2026-01-01T00:00:04Z'),
      hook('refresh_start', '2026-01-01T00:00:05Z'),
      hook('apply_complete', '2026-01-01T00:00:06Z'),
    );
    expect(ui.timings.map(({ action, startedAt, endedAt }) => [action, endedAt.getTime() - startedAt.getTime()])).toEqual([
      ['provision local-exec', 2000],
      ['create', 4000],
    ]);
  });

  it('shows a complaint with its place and its code once, and keeps a sentence of an error', () => {
    const { ui, said, read } = lines('plan');
    const diagnostic = {
      severity: 'error',
      summary: 'Unsupported argument',
      detail: 'An argument named "x"\nis not expected here.',
      address: 'a_b.c',
      range: { filename: 'main.tf', start: { line: 7, column: 1, byte: 9 } },
      snippet: { context: 'resource "a_b" "c"', code: '  x = 1', start_line: 7 },
    };
    const line = { '@level': 'error', '@message': 'Error: Unsupported argument', type: 'diagnostic', diagnostic };
    read(line, line, { ...line, diagnostic: { severity: 'warning', summary: 'Deprecated', detail: '' } });
    expect(said).toEqual([
      [
        'error',
        'Error: Unsupported argument\n  with a_b.c,\n  on main.tf line 7, in resource "a_b" "c":\n  7:   x = 1\n\nAn argument named "x"\nis not expected here.',
      ],
      ['warn', 'Warning: Deprecated'],
    ]);
    expect(ui.errors).toEqual(['main.tf line 7: Unsupported argument: An argument named "x" is not expected here.']);
  });

  it('loses the frames of a Terraform that ran inside it', () => {
    const { ui, said, read } = lines();
    const detail = 'Output: ╷\n│ Error: nested\n│ \n│ It broke.\n╵\n';
    read({ '@level': 'error', type: 'diagnostic', diagnostic: { severity: 'error', summary: 'local-exec provisioner error', detail } });
    expect(ui.errors).toEqual(['local-exec provisioner error: Output: Error: nested It broke.']);
    expect(said.flat().join('\n')).not.toMatch(/[│╵]/);
  });

  it('is taken as it is where it is nothing of the kind', () => {
    const { ui, said } = lines();
    for (const line of ['', 'plain', '{"not": "closed"', '{"@message": 5}']) ui.read(line);
    expect(said).toEqual([
      ['info', 'plain'],
      ['info', '{"not": "closed"'],
      ['info', '{"@message": 5}'],
    ]);
  });
});
