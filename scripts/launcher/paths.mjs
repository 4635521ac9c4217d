import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const at = (...parts) => join(root, ...parts);
export const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
export const stateDir = at('node_modules', '.berth');
