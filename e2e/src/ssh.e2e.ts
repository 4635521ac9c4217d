import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { findRsync, hasPrograms } from '@berth/testing/programs';
import { freePort } from './berth.ts';
import { type Computer, signedInComputer } from './command-line.ts';
import { expect, test as base } from './fixtures.ts';
import { type Owner, makeOwner } from './people.ts';
import { installStarter, settled } from './provisioning.ts';

const HOST = 'berth.harbour';
/** For what waits on a busy machine. */
const PATIENT = { timeout: 60_000 };
const GIT_PERSON = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

interface Reached {
  readonly owner: Owner;
  /** The workspace harbour, which runs. */
  readonly workspaceId: string;
  readonly computer: Computer;
  /** The configuration that `berth config-ssh` wrote. */
  readonly config: string;
  readonly ssh: (...args: readonly string[]) => ReturnType<Computer['run']>;
}

const test = base.extend<{ reached: Reached }>({
  reached: async ({ berth }, use) => {
    const owner = await makeOwner(berth);
    const template = await installStarter(owner.client, 'Empty shell');
    const { id: workspaceId } = await owner.client.workspaces.create.mutate({ user: 'me', name: 'harbour', template_id: template });
    await settled(owner.client, workspaceId);
    const computer = await signedInComputer(berth);
    const config = join(computer.home, '.ssh', 'config');
    const written = await computer.cli('config-ssh', '--yes');
    expect(written.code, written.stderr).toBe(0);
    await use({ owner, workspaceId, computer, config, ssh: (...args) => computer.run('ssh', ['-F', config, ...args]) });
    await computer.dispose();
  },
});

test.skip(process.platform !== 'linux', '`script` gives a program a terminal in another way elsewhere');
test.skip(!(await hasPrograms('ssh', 'scp', 'sftp', 'git', 'script')), 'OpenSSH, git and script are needed');
test.setTimeout(180_000);

test('the SSH programs that everybody has reach a workspace by one section of their configuration, and outlive a restart of the server', async ({
  berth,
  reached,
}) => {
  const { owner, workspaceId, computer, config, ssh } = reached;
  const local = (...parts: readonly string[]) => join(computer.home, ...parts);
  const bytes = randomBytes(300_000);
  await writeFile(local('cargo'), bytes);

  await test.step('the section is private, and stays as it is', async () => {
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    const before = await readFile(config, 'utf8');
    expect((await computer.cli('config-ssh', '--yes')).stderr).toContain('up to date');
    expect(await readFile(config, 'utf8')).toBe(before);
  });

  await test.step('commands: their output, input, exit code, and the signal that ended them', async () => {
    expect(await ssh(HOST, 'echo said; echo complained >&2; exit 7')).toEqual({ code: 7, stdout: 'said\n', stderr: 'complained\n' });
    const counted = await computer.run('ssh', ['-F', config, HOST, 'wc -c'], { input: 'x'.repeat(200_000) });
    expect(counted.stdout.trim()).toBe('200000');
    expect((await ssh(HOST, 'kill -TERM $$')).code).toBe(255);
    expect((await computer.cli('ssh', 'harbour', 'kill -TERM $$')).code).toBe(143);
    expect(await computer.cli('ssh', 'harbour', '--', 'printf %s "$BERTH_WORKSPACE_NAME"; exit 9')).toMatchObject({
      code: 9,
      stdout: 'harbour',
    });
  });

  await test.step('sftp', async () => {
    const batch = 'mkdir hold\nput cargo hold/by-sftp\nrename hold/by-sftp hold/renamed\nget hold/renamed back-by-sftp\nls -l hold\n';
    const result = await computer.run('sftp', ['-F', config, '-b', '-', HOST], { input: batch });
    expect(result.code, result.stderr).toBe(0);
    expect(result.stdout).toContain('renamed');
    expect((await readFile(local('back-by-sftp'))).equals(bytes)).toBe(true);
  });

  await test.step('scp, both ways and by its older protocol', async () => {
    for (const protocol of ['-s', '-O']) {
      const there = await computer.run('scp', [protocol, '-F', config, 'cargo', `${HOST}:by-scp`]);
      expect(there.code, there.stderr).toBe(0);
      const back = await computer.run('scp', [protocol, '-F', config, `${HOST}:by-scp`, `back-by-scp${protocol}`]);
      expect(back.code, back.stderr).toBe(0);
      expect((await readFile(local(`back-by-scp${protocol}`))).equals(bytes)).toBe(true);
    }
  });

  await test.step('rsync brings a tree there and back', async () => {
    const rsync = await findRsync();
    if (rsync === undefined) {
      test.info().annotations.push({ type: 'skipped', description: 'There is no rsync here, and none that can be fetched.' });
      return;
    }
    // One that was fetched lies beside its libraries; the workspace sees programs of the system only.
    const isFetched = rsync.includes('.cache');
    if (isFetched) expect((await computer.run('scp', ['-rq', '-F', config, dirname(rsync), `${HOST}:rsync`])).code).toBe(0);
    const sync = (...paths: readonly string[]) =>
      computer.run(rsync, ['-a', '--delete', ...(isFetched ? ['--rsync-path=rsync/rsync'] : []), '-e', `ssh -F ${config}`, ...paths]);
    await mkdir(local('tree', 'inner'), { recursive: true });
    await writeFile(local('tree', 'inner', 'leaf'), 'green');
    expect(await sync('tree/', `${HOST}:tree/`)).toMatchObject({ code: 0, stderr: '' });
    await ssh(HOST, 'echo yellow > tree/inner/leaf');
    expect(await sync(`${HOST}:tree/`, 'tree/')).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(local('tree', 'inner', 'leaf'), 'utf8')).toBe('yellow\n');
  });

  await test.step('git clones from a repository in the workspace, and pushes to it', async () => {
    await ssh(HOST, 'git init -q --bare garden.git');
    const git = (cwd: string, ...args: readonly string[]) =>
      computer.run('git', args, { cwd, env: { ...GIT_PERSON, GIT_SSH_COMMAND: `ssh -F ${config}` } });
    for (const [cwd, ...args] of [
      [computer.home, 'clone', '-q', `${HOST}:garden.git`, 'garden'],
      [local('garden'), 'commit', '-q', '--allow-empty', '-m', 'First'],
      [local('garden'), 'push', '-q', 'origin', 'HEAD:main'],
    ] as const) {
      expect(await git(cwd, ...args)).toMatchObject({ code: 0 });
    }
    expect((await ssh(HOST, 'git -C garden.git log --format=%s main')).stdout).toBe('First\n');
  });

  await test.step('ports are forwarded both ways', async () => {
    const [here, there, back] = [await freePort(), await freePort(), await freePort()];
    const echo = `require("net").createServer({allowHalfOpen:true},(s)=>s.pipe(s)).listen(${there},"127.0.0.1",()=>console.log("listens"))`;
    const server = computer.start('ssh', ['-F', config, '-tt', HOST, `node -e '${echo}'`]);
    await expect.poll(server.said, PATIENT).toContain('listens');
    const ours = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(ours, 'listening');
    const address = ours.address();
    const ourPort = typeof address === 'object' && address !== null ? address.port : 0;
    const asking = `require("net").connect(${back},"127.0.0.1").on("data",(d)=>{console.log(String(d));process.exit()}).write("from there")`;
    const forwards = computer.start('ssh', [
      '-F',
      config,
      '-N',
      '-L',
      `${here}:127.0.0.1:${there}`,
      '-R',
      `${back}:127.0.0.1:${ourPort}`,
      HOST,
    ]);
    await expect.poll(async () => [await answerOf(here, 'from here'), forwards.said(), server.said()], PATIENT).toContain('from here');
    await expect.poll(async () => (await ssh(HOST, `node -e '${asking}'`)).stdout.trim(), PATIENT).toBe('from there');
    const own = computer.start(...commandOf(computer, 'port-forward', 'harbour', '--tcp', `0:${there}`));
    await expect.poll(own.said, PATIENT).toMatch(/127\.0\.0\.1:\d+ forwards to/);
    const ownPort = Number(/127\.0\.0\.1:(\d+) forwards to/.exec(own.said())?.[1]);
    expect(await answerOf(ownPort, 'by a WebSocket')).toBe('by a WebSocket');
    for (const running of [server, forwards, own]) running.end();
    await Promise.all([server.ended, forwards.ended, own.ended]);
    ours.close();
  });

  await test.step('the way there is measured', async () => {
    const { code, stdout } = await computer.cli('ping', 'harbour', '-c', '3', '-i', '1s', '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ workspace: 'ada/harbour', count: 3, lost: 0 });
  });

  const sessions = [
    computer.start('ssh', ['-F', config, '-tt', HOST]),
    // `script` gives it a terminal of its own, as a person has one.
    computer.start('script', ['-qec', [...computer.berth, 'ssh', 'harbour'].map((word) => `'${word}'`).join(' '), '/dev/null']),
  ];
  await test.step('sessions go on after a restart of the server', async () => {
    for (const session of sessions) {
      await expect.poll(session.said, PATIENT).toContain('$ ');
      session.type('kept=anchor; echo "size=$(stty size)" "tty=$(tty)."\r');
      await expect.poll(session.said, PATIENT).toMatch(/tty=\/dev\/pts\/\d+\./);
      session.type('sleep 1; echo "slept-$((6 * 7))."\r');
    }
    await berth.stop();
    await berth.start();
    for (const session of sessions) {
      await expect.poll(session.said, PATIENT).toContain('slept-42.');
      session.type('echo "still-$kept."\r');
      await expect.poll(session.said, PATIENT).toContain('still-anchor.');
    }
  });

  await test.step('they end with their workspace, in plain words', async () => {
    await owner.client.builds.create.mutate({ workspace: workspaceId, transition: 'stop' });
    await settled(owner.client, workspaceId);
    for (const session of sessions) {
      const { code } = await session.ended;
      expect(code).toBe(255);
      expect(session.said()).toMatch(/The workspace harbour is (stopping|stopped), so the connection has ended/);
    }
  });

  await test.step('the next connection starts it again, and says so', async () => {
    const { code, stdout, stderr } = await computer.cli('ssh', 'harbour', 'echo back');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'back\n' });
    expect(stderr).toContain('Starting harbour');
    await owner.client.builds.create.mutate({ workspace: workspaceId, transition: 'stop' });
    await settled(owner.client, workspaceId);
    const refused = await computer.cli('ssh', '--no-autostart', 'harbour', 'echo back');
    expect(refused).toMatchObject({ code: 6, stdout: '' });
    expect(refused.stderr).toContain('berth start ada/harbour');
  });
});

const commandOf = ({ berth: [program, script] }: Computer, ...args: readonly string[]): [string, string[]] => [program, [script, ...args]];

/** What a port answers to some words; empty when nothing listens there, or says nothing for ten seconds. */
function answerOf(port: number, words: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(words));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.once('error', () => resolve(''));
    socket.once('close', () => resolve(answer));
    socket.setTimeout(10_000, () => socket.destroy());
  });
}
