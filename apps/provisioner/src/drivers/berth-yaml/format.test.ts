import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { berthJsonSchema } from './format.ts';

it('the published JSON Schema is the one of the format (else: pnpm --filter @berth/provisioner schema)', async () => {
  const published: unknown = JSON.parse(await readFile(new URL('../../../../../docs/berth.schema.json', import.meta.url), 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(berthJsonSchema())));
});
