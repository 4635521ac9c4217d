import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cliDocument } from './cli-document.ts';

it('docs/cli.md is what the program says about itself (else: node apps/cli/src/docs.ts)', async () => {
  expect(readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8')).toBe(await cliDocument());
}, 60_000);
