import { enableCompileCache } from 'node:module';

// Before the agent's own modules are read: the second start on a machine takes half the time.
enableCompileCache();
await import('./run.ts');
