/** Writes docs/cli.md from the program itself: `node apps/cli/src/docs.ts`. A test holds the file to it. */
import { writeFileSync } from 'node:fs';
import { cliDocument } from './docs/cli-document.ts';

writeFileSync(new URL('../../../docs/cli.md', import.meta.url), await cliDocument());
