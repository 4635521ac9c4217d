import type { Io } from './frame/io.ts';

/** The process as the commands see it. The one place that reads the environment. */
export function processIo(signal: AbortSignal): Io {
  const { stdin, stdout, stderr, env, platform } = process;
  return { stdin, stdout, stderr, env, cwd: process.cwd(), platform, signal };
}
