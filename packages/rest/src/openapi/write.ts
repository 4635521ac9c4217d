import { writeFileSync } from 'node:fs';
import { COMMITTED_FILE, committedDocument } from './committed.ts';

// `pnpm openapi`: writes docs/api/openapi.json anew.
writeFileSync(COMMITTED_FILE, committedDocument());
