import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

const server = process.env['BERTH_DEV_SERVER'] ?? 'http://127.0.0.1:3000';
const api = { target: server, ws: true, changeOrigin: false };

const COMPRESSIBLE = /\.(?:js|css|svg)$/;
const COMPRESS_FROM_BYTES = 1024;
/** More of it means fewer files, and pages that load what only others use. */
const MERGED_BELOW_BYTES = 4000;

/** Compresses assets once, at build time, so that the server only has to choose a file. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: async ({ dir = 'dist' }) => {
      const folder = join(dir, 'assets');
      const names = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name));
      await Promise.all(
        names.map(async (name) => {
          const file = join(folder, name);
          const bytes = await readFile(file);
          if (bytes.length < COMPRESS_FROM_BYTES) return;
          const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
          await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
          await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
        }),
      );
    },
  };
}

/** The dashboard as static files: no inline scripts, so that the server can send a strict content security policy. */
export default defineConfig({
  plugins: [react(), compressed()],
  base: '/',
  // One schema for the command line, other editors and ours; ours loads it when it opens.
  resolve: { alias: { 'berth.schema.json': fileURLToPath(new URL('../../docs/berth.schema.json', import.meta.url)) } },
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Named after all pages that share it, a file's name would be longer than some of the files.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared') ? 'shared' : '[name]'}-[hash].js`,
        codeSplitting: {
          // Each file costs a slow processor milliseconds: what starts the app is one, and small shared parts go with their neighbours.
          groups: [
            { name: 'start', tags: ['$initial'], priority: 3 },
            { name: 'terminal', test: /node_modules\/@xterm/, priority: 2 },
            { name: 'markdown', test: /node_modules\/(?:react-markdown|remark-|micromark|mdast|hast)/, priority: 2 },
            { name: 'editor', test: /node_modules\/(?:@codemirror|@lezer)/, priority: 2 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: MERGED_BELOW_BYTES, priority: 1 },
          ],
        },
      },
      // Our own packages only declare: what a page does not use of them, schemas above all, need not be there.
      treeshake: { moduleSideEffects: (id) => !/\/packages\/(?:core|domain|client)\//.test(id) },
    },
  },
  server: { proxy: { '/api': api } },
  preview: { proxy: { '/api': api } },
});
