import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['BERTH_DEV_SERVER'] ?? 'http://127.0.0.1:3000';

/** The dashboard as static files: no inline scripts, so that the server can send a strict content security policy. */
export default defineConfig({
  plugins: [react()],
  base: '/',
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: false } } },
  preview: { proxy: { '/api': { target: server, ws: true, changeOrigin: false } } },
});
