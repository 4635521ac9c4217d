import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { INIT } from './sandbox.ts';

/** Real processes, on a machine that may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const WAIT = { timeout: 40_000, interval: 20 };
const isRoot = process.getuid?.() === 0;
const NAMESPACES = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];
/** A mount namespace in which the test puts an /etc of its own, and the sandbox inside of it. */
const OUTER = isRoot ? ['unshare', '--mount', '--'] : ['unshare', '--user', '--map-root-user', '--mount', '--'];
const INNER = isRoot ? ['unshare', ...NAMESPACES, '--'] : ['unshare', '--user', '--map-root-user', ...NAMESPACES, '--'];
const isPossible = spawnSync('unshare', [...OUTER.slice(1), ...INNER, 'mount', '-t', 'tmpfs', 'berth', '/mnt']).status === 0;

/** Says who runs, what a file of the host's /etc says, and whether a hidden one can be seen. */
const COMMAND = `while :; do
  { id -un; id -gn; cat /etc/marker; cat /etc/hidden/secret 2>/dev/null || echo hidden; } >"$HOME/seen.new" 2>&1
  mv "$HOME/seen.new" "$HOME/seen"
  sleep 0.1
done`;

describe.runIf(isPossible)('the first process of a workspace', () => {
  let base = '';
  let etc = '';
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'berth-init-'));
    await chmod(base, 0o755);
    etc = join(base, 'host-etc');
    for (const folder of ['host-etc/hidden', 'root', 'home', 'tmp', 'agent', 'own']) await mkdir(join(base, folder), { recursive: true });
    await chmod(join(base, 'home'), 0o777);
    await writeFile(join(etc, 'hidden', 'secret'), 'secret\n');
    await copyFile('/etc/passwd', join(etc, 'passwd'));
    await copyFile('/etc/group', join(etc, 'group'));
    await writeFile(join(base, 'own', 'passwd'), 'root:x:0:0::/root:/bin/sh\nalice:x:1000:1000::/home/alice:/bin/sh\n');
    await writeFile(join(base, 'own', 'group'), 'root:x:0:\nalice:x:1000:\n');
    await writeFile(join(base, 'own', 'profile'), '');
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it('knows its user by name whatever the host does to its list of accounts, and sees the rest of /etc as it is now', async () => {
    await writeFile(join(etc, 'marker'), 'first\n');
    const own = (name: string) => join(base, name);
    const inOwnEtc = [...OUTER.slice(1), '/bin/sh', '-c', 'mount --bind "$1" /etc && shift && exec "$@"', 'sh', etc, ...INNER];
    const folders = [own('root'), own('home'), '/home/alice', own('tmp'), process.execPath, own('agent'), own('own')];
    const mode = isRoot ? 'root' : 'user';
    const command = ['/bin/sh', INIT, mode, 'dev', ...folders, '1000', '1000', '/etc/hidden', '--', '/bin/sh', '-c', COMMAND];
    const args = inOwnEtc.concat(command);
    const child = spawn('unshare', args, { stdio: ['pipe', 'inherit', 'inherit', 'pipe'] });
    const exited = once(child, 'exit');
    const seen = async () => (await readFile(own('home/seen'), 'utf8')).trim().split('\n');
    try {
      child.stdin?.write('go\nHOME=/home/alice\nPATH=/usr/local/bin:/usr/bin:/bin\n');
      child.stdin?.end();
      await vi.waitFor(async () => expect(await seen()).toEqual(['alice', 'alice', 'first', 'hidden']), WAIT);
      for (const name of ['passwd', 'group', 'marker']) {
        await writeFile(join(etc, `${name}.new`), name === 'marker' ? 'second\n' : 'root:x:0:0::/root:/bin/sh\n');
        await rename(join(etc, `${name}.new`), join(etc, name));
      }
      await vi.waitFor(async () => expect(await seen()).toEqual(['alice', 'alice', 'second', 'hidden']), WAIT);
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
  });
});
