import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './paths.mjs';
import { environment } from './toolchain.mjs';

/** Runs a program to its end and keeps what it says: `{ code, output }`, with both of its streams in order. */
export function capture(program, args, { env = {}, onLine = () => undefined, signal } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: environment({ NO_COLOR: '1', FORCE_COLOR: undefined, ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        chunks.push(chunk);
        const line = chunk.trim().split('\n').at(-1);
        if (line) onLine(line);
      });
    }
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code, signal) => resolve({ code: code ?? codeOf(signal), output: chunks.join('') }));
  });
}

/** npm passes a signal on although the terminal has sent it already: within this time all of them are one. */
const SAME_SIGNAL_MS = 500;

/**
 * Hands the terminal over to a program and returns its exit code. The program runs in a process group of its own, so
 * that a Ctrl-C reaches it exactly once: through here. A terminal that is closed asks it to end.
 */
export function handOver(program, args, { env = {}, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: environment(env), stdio: 'inherit', detached: true });
    let lastMs = -Infinity;
    const forward = (signal) => {
      const nowMs = performance.now();
      if (nowMs - lastMs < SAME_SIGNAL_MS) return;
      lastMs = nowMs;
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
    for (const signal of signals) process.on(signal, forward);
    const finish = (code) => {
      for (const signal of signals) process.off(signal, forward);
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`);
      finish(127);
    });
    child.once('exit', (code, signal) => finish(code ?? codeOf(signal)));
  });
}

function codeOf(signal) {
  return 128 + (constants.signals[signal] ?? 0);
}
