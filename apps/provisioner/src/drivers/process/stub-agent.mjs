// Stands in for the agent in tests: tells what it sees, keeps a runaway child, and says when it was asked to stop.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';

const home = env.HOME;
const probes = existsSync(join(home, 'probes.json')) ? JSON.parse(readFileSync(join(home, 'probes.json'), 'utf8')) : {};

function canRead(path) {
  try {
    return statSync(path).isDirectory() ? (readdirSync(path), true) : (readFileSync(path), true);
  } catch {
    return false;
  }
}
function canWrite(path) {
  try {
    writeFileSync(path, '');
    return true;
  } catch {
    return false;
  }
}

spawn('setsid', ['sleep', '987654'], { detached: true, stdio: 'ignore', env: { ...env } }).unref();

writeFileSync(
  join(home, `seen-${env.BERTH_AGENT_TOKEN}.json`),
  JSON.stringify({
    env,
    uid: process.getuid(),
    user: spawnSync('id', ['-un'], { encoding: 'utf8' }).stdout.trim(),
    cwd: process.cwd(),
    readable: (probes.read ?? []).filter(canRead),
    writable: (probes.write ?? []).filter(canWrite),
    processes: existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length : 0,
    privileges: existsSync('/proc/self/status') ? /^CapEff:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1] : '',
  }),
);
process.on('SIGTERM', () => {
  if (existsSync(join(home, 'stubborn'))) return;
  writeFileSync(join(home, 'stopped'), '');
  process.exit(0);
});
setInterval(() => {}, 1 << 30);
