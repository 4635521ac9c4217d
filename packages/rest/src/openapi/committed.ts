import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from './document.ts';

/** The published document as it stands in the repository, so that a change of the API shows in a review. */
export const COMMITTED_FILE = fileURLToPath(new URL('../../../../docs/api/openapi.json', import.meta.url));
const PACKAGE_FILE = fileURLToPath(new URL('../../../../package.json', import.meta.url));

/** What the committed file must hold: the document of a server at its default address. */
export function committedDocument(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'));
  return `${JSON.stringify(openApiDocument({ version: `v${version}`, accessUrl: 'http://127.0.0.1:3000' }), null, 2)}\n`;
}
