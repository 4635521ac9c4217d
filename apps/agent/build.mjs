import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';

import { build } from 'esbuild';

/**
 * Makes `dist`, or the folder that is given: the agent, the one package with native code beside it (already built), and the compiled form of both for this Node.
 * `node dist/agent.mjs` runs from wherever the folder is copied to.
 */
const here = import.meta.dirname;
const dist = path.resolve(process.argv[2] ?? path.join(here, 'dist'));

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await build({
  entryPoints: { agent: path.join(here, 'src/main.ts') },
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // What is parsed stays in memory for as long as the agent runs.
  minify: true,
  keepNames: true,
  logLevel: 'warning',
  // What is not there is done without: ssh2 has its own ways.
  external: ['@lydell/*', 'bufferutil', 'utf-8-validate', 'cpu-features', '*.node'],
  // What packages in CommonJS take for granted; ssh2 finds its ciphers by it.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);\nconst __dirname = import.meta.dirname;",
  },
  plugins: [
    {
      // An import of it by an ES module reads all that it exports, and with that loads a second HTTP client: sixteen megabytes.
      name: 'http-without-fetch',
      setup: ({ onResolve, onLoad }) => {
        onResolve({ filter: /^(?:node:)?http$/ }, () => ({ path: 'http', namespace: 'by-require' }));
        onLoad({ filter: /.*/, namespace: 'by-require' }, () => ({
          contents: `const http = process.getBuiltinModule('node:http');
            export default http;
            export const { Agent, ClientRequest, IncomingMessage, METHODS, OutgoingMessage, STATUS_CODES, Server, ServerResponse } = http;
            export const { createServer, get, globalAgent, maxHeaderSize, request, validateHeaderName, validateHeaderValue } = http;`,
        }));
      },
    },
    {
      // zod brings its messages in fifty languages: a third of the file, of which the agent reads none.
      name: 'one-language',
      setup: ({ onLoad }) =>
        onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: "export { default as en } from './en.js';" })),
    },
  ],
});

const fromHere = createRequire(path.join(here, 'package.json'));
const terminal = path.dirname(fromHere.resolve('@lydell/node-pty/package.json'));
const native = `node-pty-${process.platform}-${process.arch}`;
const nativeFolder = path.dirname(createRequire(path.join(terminal, 'package.json')).resolve(`@lydell/${native}/package.json`));
const modules = path.join(dist, 'node_modules', '@lydell');
await cp(terminal, path.join(modules, 'node-pty'), { recursive: true, dereference: true });
await cp(nativeFolder, path.join(modules, native), { recursive: true, dereference: true });

// One short run fills the compile cache.
await promisify(execFile)(process.execPath, [path.join(dist, 'agent.mjs'), '--version']);
const cache = path.join(dist, 'cache');
for (const entry of await readdir(cache, { recursive: true, withFileTypes: true })) {
  // Node makes them private; the agent may run as another user than whoever built it.
  if (entry.isFile()) await chmod(path.join(entry.parentPath, entry.name), 0o644);
}
