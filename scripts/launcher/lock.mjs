import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.mjs';
import { stateDir } from './paths.mjs';

const file = join(stateDir, 'set-up.pid');
const PATIENCE_MS = 15 * 60_000;

/** Runs `work` while no other set-up of this repository runs; waits for one that does. A lock of a dead process does not count. */
export async function withLock(work) {
  const deadline = Date.now() + PATIENCE_MS;
  let isWaiting = false;
  while (!take()) {
    if (Date.now() > deadline) {
      throw new Failure(`Another set-up (process ${holder()}) of this repository does not end. Stop it and try again.`);
    }
    if (!isWaiting) console.log(`Waiting for another set-up of this repository (process ${holder()}) …`);
    isWaiting = true;
    await sleep(300);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take() {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const pid = holder();
    if (pid === undefined || !isAlive(pid)) rmSync(file, { force: true });
    return false;
  }
}

function holder() {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
