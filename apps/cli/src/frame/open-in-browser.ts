import { spawn } from 'node:child_process';
import type { Io } from './io.ts';

/** Whether a browser was asked to open the page. It is not known whether one did. */
export async function openInBrowser({ platform, env }: Pick<Io, 'platform' | 'env'>, url: string): Promise<boolean> {
  // Only addresses of the web: an opener would start programs for others.
  if (!/^https?:\/\//.test(url)) return false;
  const own = env.BROWSER ?? '';
  const hasScreen = platform === 'darwin' || (env.DISPLAY ?? '') !== '' || (env.WAYLAND_DISPLAY ?? '') !== '';
  if (own === '' && !hasScreen) return false;
  const program = own === '' ? (platform === 'darwin' ? 'open' : 'xdg-open') : own;
  return new Promise((resolve) => {
    const child = spawn(program, [url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
