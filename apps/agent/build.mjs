import { cp, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { build } from 'esbuild';

/**
 * Makes `dist`: the agent in one file, and beside it the one package with native code, already built. `node dist/agent.mjs` runs from
 * wherever the folder is copied to.
 */
const here = import.meta.dirname;
const dist = path.join(here, 'dist');

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
const shared = { bundle: true, platform: 'node', format: 'esm', target: 'node24', logLevel: 'warning' };
await build({
  ...shared,
  entryPoints: { agent: path.join(here, 'src/main.ts') },
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  external: ['@lydell/*', 'bufferutil', 'utf-8-validate'],
  banner: { js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);" },
});

const fromHere = createRequire(path.join(here, 'package.json'));
const terminal = path.dirname(fromHere.resolve('@lydell/node-pty/package.json'));
const native = `node-pty-${process.platform}-${process.arch}`;
const nativeFolder = path.dirname(createRequire(path.join(terminal, 'package.json')).resolve(`@lydell/${native}/package.json`));
const modules = path.join(dist, 'node_modules', '@lydell');
await cp(terminal, path.join(modules, 'node-pty'), { recursive: true, dereference: true });
await cp(nativeFolder, path.join(modules, native), { recursive: true, dereference: true });
