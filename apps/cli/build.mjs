import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { build } from 'esbuild';

/**
 * Makes `dist`, or the folder that is given: the command line as an npm package without dependencies, for `npm i -g`, `npx` and `npm pack`.
 */
const here = import.meta.dirname;
const dist = path.resolve(process.argv[2] ?? path.join(here, 'dist'));
const { version, license } = JSON.parse(await readFile(path.join(here, '../../package.json'), 'utf8'));

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await build({
  entryPoints: { berth: path.join(here, 'src/main.ts') },
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'parts/[name]-[hash]',
  bundle: true,
  // Each command is a file of its own, so that one loads no more than it needs.
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
  define: { BERTH_VERSION: JSON.stringify(version) },
  // ssh2 and ws go without their native parts.
  external: ['*.node', 'cpu-features', 'bufferutil', 'utf-8-validate'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);const __dirname = import.meta.dirname;",
  },
  plugins: [
    {
      // zod brings its messages in fifty languages, of which this program reads none.
      name: 'one-language',
      setup: ({ onLoad }) =>
        onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: "export { default as en } from './en.js';" })),
    },
  ],
});

const manifest = {
  name: 'berth-cli',
  version,
  description: 'Berth from the command line: remote development workspaces.',
  license,
  type: 'module',
  bin: { berth: 'berth.mjs' },
  engines: { node: '>=20.19' },
};
await writeFile(path.join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
await cp(path.join(here, 'README.md'), path.join(dist, 'README.md'));
// For `berth templates init`.
await cp(path.join(here, '../../templates'), path.join(dist, 'templates'), { recursive: true });
await cp(path.join(here, '../../LICENSE'), path.join(dist, 'LICENSE'));
