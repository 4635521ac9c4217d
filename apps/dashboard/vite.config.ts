import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

const server = process.env['BERTH_DEV_SERVER'] ?? 'http://127.0.0.1:3000';
const api = { target: server, ws: true, changeOrigin: false };

const COMPRESSIBLE = /\.(?:js|css|svg)$/;
const COMPRESS_FROM_BYTES = 1024;

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
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Our own packages only declare: what a page does not use of them, schemas above all, need not be there.
      treeshake: { moduleSideEffects: (id) => !/\/packages\/(?:core|domain|client)\//.test(id) },
    },
  },
  server: { proxy: { '/api': api } },
  preview: { proxy: { '/api': api } },
});
