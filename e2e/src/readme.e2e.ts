import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The shell blocks of a section, in their order. */
function blocksOf(heading: string): string[] {
  const [, section = ''] = README.split(`\n### ${heading}\n`);
  const [text = ''] = section.split('\n### ');
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** Runs a script with bash; answers what it printed, both streams together. */
async function bash(script: string, env: Readonly<Record<string, string>>): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-eu', '-c', script], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => void child.once('close', resolve));
  return { code, output };
}

test('the curl blocks of the README work as they are, one right after the other', async ({ berth }) => {
  const blocks = blocksOf('With curl');
  expect(blocks.length).toBeGreaterThan(5);
  const script = blocks.map((block, index) => `printf "\\n== ${index}\\n"\n${block}`).join('\n');
  const { code, output } = await bash(script, { BERTH: berth.url });
  expect(code, output).toBe(0);
  expect(output).not.toMatch(/undefined|"validations"|Error:/);
  const printed = output.split(/^== \d+$/m).slice(1);
  const expected = [
    /^\s*$/,
    /"user_id"/,
    /Empty shell[^]*succeeded\n[^]*'shell'/,
    /"lifecycle_state":"ready"[^]*agent main started/,
    /Linux|Darwin/,
    /ada[^]*\n(pending|deleting)\n/,
  ];
  expect(printed, output).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) expect(printed[index], output).toMatch(pattern);
});
