import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Latency } from '../machine/statistics.ts';
import { latencyOf } from '../machine/statistics.ts';
import type { SignedIn } from '../start/sign-in.ts';

const TIMEOUT_MS = 5000;
/** A quick typist's pause, so that each key finds everybody idle, as it does in life. */
const PAUSE_MS = 15;
/** Keys until the line is begun anew: a wrapped line is drawn again, and that is not an echo. */
const LINE = 40;
const CLEAR_LINE = '\u0015';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Types into a shell of the workspace, and measures from the key's way into the WebSocket until its echo came out of it. */
export async function measureEcho(url: string, { token }: SignedIn, options: { agentId: string; keys: number }): Promise<Latency> {
  const socket = new WebSocket(
    `${url.replace(/^http/, 'ws')}/api/v2/workspaceagents/${options.agentId}/pty?reconnect=${randomUUID()}&width=120&height=40`,
    { headers: { 'service-session-token': token } },
  );
  let heard = '';
  let onHeard = (): void => undefined;
  socket.on('message', (data: Buffer) => {
    heard += data.toString('utf8');
    onHeard();
  });
  const until = (isIt: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No echo within ${TIMEOUT_MS / 1000} s.`)), TIMEOUT_MS);
      onHeard = () => {
        if (!isIt()) return;
        clearTimeout(timer);
        resolve();
      };
      onHeard();
    });
  try {
    await once(socket, 'open');
    await until(() => heard.length > 0);
    const times: number[] = [];
    for (let key = 0; key < options.keys; key += 1) {
      if (key % LINE === 0) {
        // What the shell says by itself must not be taken for an echo.
        await sleep(200);
        socket.send(JSON.stringify({ data: CLEAR_LINE }));
        await sleep(200);
      }
      await sleep(PAUSE_MS);
      const letter = LETTERS.charAt(key % LETTERS.length);
      heard = '';
      const from = performance.now();
      socket.send(JSON.stringify({ data: letter }));
      await until(() => heard.includes(letter));
      times.push(performance.now() - from);
    }
    return latencyOf(times);
  } finally {
    socket.terminate();
  }
}
