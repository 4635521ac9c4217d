import { writeFile } from 'node:fs/promises';
import { berthJsonSchema } from '../src/drivers/berth-yaml/format.ts';

/** Writes the published JSON Schema of berth.yaml. A test fails when it is older than the format. */
await writeFile(new URL('../../../docs/berth.schema.json', import.meta.url), `${JSON.stringify(berthJsonSchema(), null, 2)}\n`);
