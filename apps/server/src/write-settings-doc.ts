import { readFileSync, writeFileSync } from 'node:fs';
import { withSettingsTable } from './settings-doc.ts';

/** Writes the table of settings into `docs/configuration.md`: `pnpm --filter @berth/server settings-doc`, then `pnpm format`. */
const PAGE = new URL('../../../docs/configuration.md', import.meta.url);
writeFileSync(PAGE, withSettingsTable(readFileSync(PAGE, 'utf8')));
