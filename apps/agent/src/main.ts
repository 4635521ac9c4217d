import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Before the agent's own modules are read, so that a start compiles nothing. The build fills this folder.
enableCompileCache({ directory: path.join(import.meta.dirname, 'cache'), portable: true });
const { main } = await import('./run.ts');
main(process.argv.slice(2));
