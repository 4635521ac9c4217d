import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { pack } from 'tar-stream';

import { NODE_MIN } from './src/supported-node.ts';

/**
 * Makes `dist`, or the folder that is given: the command line as an npm package without dependencies, and the same package as the file
 * `berth.tgz`. npm only links a folder that it installs globally; from the file it installs a copy.
 */
const here = import.meta.dirname;
const dist = path.resolve(process.argv[2] ?? path.join(here, 'dist'));
const { version, license } = JSON.parse(await readFile(path.join(here, '../../package.json'), 'utf8'));

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await build({
  entryPoints: { berth: path.join(here, 'src/bin.ts') },
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
  target: `node${NODE_MIN}`,
  logLevel: 'warning',
  define: { BERTH_VERSION: JSON.stringify(version) },
  // ssh2 and ws go without their native parts.
  external: ['*.node', 'cpu-features', 'bufferutil', 'utf-8-validate'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);const __dirname = import.meta.dirname;",
  },
  plugins: [
    {
      // A CommonJS package that is imported when needed loses its named exports in the bundle.
      name: 'own-modules-only-when-needed',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^[^.]/ }, ({ kind, path: name, importer }) =>
          kind === 'dynamic-import' && !name.startsWith('node:') && importer.startsWith(path.join(here, 'src') + path.sep)
            ? { errors: [{ text: `Import "${name}" in a module of its own, and import() that module.` }] }
            : undefined,
        ),
    },
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
  engines: { node: `>=${NODE_MIN}` },
};
await writeFile(path.join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
await cp(path.join(here, 'README.md'), path.join(dist, 'README.md'));
// For `berth templates init`.
await cp(path.join(here, '../../templates'), path.join(dist, 'templates'), { recursive: true });
await cp(path.join(here, '../../LICENSE'), path.join(dist, 'LICENSE'));

const tarball = pack();
const whole = buffer(tarball);
const entries = await readdir(dist, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile()).map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)));
for (const file of files.toSorted()) {
  const header = {
    name: `package/${file.split(path.sep).join('/')}`,
    mode: file === manifest.bin.berth ? 0o755 : 0o644,
    mtime: new Date(0),
  };
  tarball.entry(header, await readFile(path.join(dist, file)));
}
tarball.finalize();
await writeFile(path.join(dist, 'berth.tgz'), gzipSync(await whole));
