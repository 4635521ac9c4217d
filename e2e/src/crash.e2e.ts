import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from '@berth/client';
import type { Berth } from './berth.ts';
import { expect, test } from './fixtures.ts';
import { enter, makeOwner } from './people.ts';
import { agentsOf, listProcesses, processesNaming } from './processes.ts';
import { BUILD_TIMEOUT_MS, agentIdOf, installTemplate, settled } from './provisioning.ts';
import { shot } from './shot.ts';
import { captured, openedTerminal } from './terminal.ts';

test.skip(process.platform !== 'linux', 'processes are looked at through /proc');

const LINES = 40;

/** Its start script writes half of its lines and the rest when it may; its stop script lets go when it may. */
const TEMPLATE = `
version: 1
name: Gates
parameters:
  - name: gates
    type: bool
    default: false
resources:
  - name: box
    type: process
    persistent_home: true
    agent:
      name: main
      directory: '~'
      scripts:
        - display_name: Come
          run_on_start: true
          timeout: 120
          script: |
            [ "$BERTH_PARAM_GATES" = true ] || exit 0
            i=0
            while [ "$i" -lt ${LINES} ]; do
              i=$((i + 1))
              echo "line $i"
              if [ "$i" = ${LINES / 2} ]; then until [ -e "$HOME/may-go-on" ]; do sleep 0.05; done; fi
            done
        - display_name: Go
          run_on_stop: true
          timeout: 120
          script: |
            [ "$BERTH_PARAM_GATES" = true ] || exit 0
            echo "going"
            until [ -e "$HOME/may-leave" ]; do sleep 0.05; done
            echo "gone"
`;

const open = (berth: Berth, workspaceId: string, gate: string): Promise<void> =>
  writeFile(join(berth.dataDir, 'provisioner', 'workspaces', workspaceId, 'home', gate), '');

async function daemonsOf(berth: Berth): Promise<number[]> {
  const all = await listProcesses();
  const mark = `BERTH_PROVISIONER_DATA_DIR=${join(berth.dataDir, 'provisioner')}`;
  return all
    .filter(({ command, environment }) => command.includes('provisioner') && environment.split('\n').includes(mark))
    .map(({ pid }) => pid);
}

async function outputOfAgent(client: Client, agentId: string): Promise<string[]> {
  return (await client.agents.logs.query({ workspaceagent: agentId })).map(({ output }) => output);
}

async function jobLog(client: Client, buildId: string): Promise<string[]> {
  const lines = await client.builds.logs.query({ workspacebuild: buildId });
  const ids = lines.map(({ id }) => id);
  expect(ids, 'lines have ids of their own that grow').toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  return lines.map(({ output }) => output);
}

/** The lines of each attempt at a job: one that a daemon left unfinished begins anew. */
function attemptsIn(lines: readonly string[]): string[][] {
  const attempts: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith('attempt ')) attempts.push([]);
    attempts.at(-1)?.push(line);
  }
  return attempts;
}

/** Runs `npm run audit:verify` beside the server, and answers what it says; rejects when the chain is broken. */
async function verifyAudit({ dataDir }: Berth): Promise<string> {
  const program = fileURLToPath(new URL('../../apps/server/src/audit-verify.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { PATH: process.env['PATH'], BERTH_DATA_DIR: dataDir },
  });
  return stdout;
}

for (const victims of ['the server', 'the server and its provisioner'] as const) {
  test(`a kill -9 of ${victims} in the middle of builds loses nothing: shells go on, builds end, logs are whole`, async ({
    berth,
    page,
  }) => {
    test.setTimeout(240_000);
    const owner = await makeOwner(berth);
    const { client } = owner;
    const template = await installTemplate({ berth, owner, name: 'gates', yaml: TEMPLATE });
    const create = (name: string, gates = false) =>
      client.workspaces.create.mutate({
        user: 'me',
        name,
        template_id: template,
        rich_parameter_values: [{ name: 'gates', value: String(gates) }],
      });
    const [shell, leaving] = await Promise.all([create('shell', true), create('leaving', true)]);
    const [shellAgent, leavingAgent] = [agentIdOf(await settled(client, shell.id)), agentIdOf(await settled(client, leaving.id))];
    await open(berth, leaving.id, 'may-go-on');
    for (const agent of [shellAgent, leavingAgent]) {
      await expect.poll(() => outputOfAgent(client, agent), { timeout: BUILD_TIMEOUT_MS }).toContain(`line ${LINES / 2}`);
    }

    // A shell that counts, in a page that stays open over the crash.
    await enter(page);
    await page.goto('/@ada/shell?tab=terminal');
    const terminal = await openedTerminal(page, 'shell');
    await terminal.run('echo "pid=$$."; n=0; until [ -e enough ]; do n=$((n + 1)); echo "tick $n"; sleep 0.1; done');
    const pid = await captured(terminal, /pid=(\d+)\./);
    await expect(terminal.screen).toContainText('tick 3');

    // One build that waits for its stop script, and some that have just begun.
    const stop = await client.builds.create.mutate({ workspace: leaving.id, transition: 'stop' });
    await expect.poll(() => outputOfAgent(client, leavingAgent), { timeout: BUILD_TIMEOUT_MS }).toContain('going');
    const newcomers = await Promise.all(['one', 'two', 'three'].map((name) => create(name)));
    const agentBefore = (await agentsOf(shell.id)).map((agent) => agent.pid);

    await test.step('the crash', async () => {
      const daemons = await daemonsOf(berth);
      expect(daemons).toHaveLength(1);
      if (victims !== 'the server') for (const daemon of daemons) process.kill(daemon, 'SIGKILL');
      await berth.kill();
      await expect.poll(() => daemonsOf(berth), { message: 'a provisioner without its server ends by itself' }).toEqual([]);
      await expect(page.getByText('Connection lost. The shell goes on; connecting again…')).toBeVisible();
      await shot(page, 'while the server is away');
      expect((await agentsOf(shell.id)).map((agent) => agent.pid)).toEqual(agentBefore);
      // What the scripts do while nobody listens is told afterwards.
      await open(berth, shell.id, 'may-go-on');
    });

    await berth.start();

    await test.step('the shell went on, and its page finds it again', async () => {
      await expect(page.getByText('Connection lost.')).toBeHidden({ timeout: BUILD_TIMEOUT_MS });
      await expect(terminal.screen).toContainText(/tick \d+/);
      await open(berth, shell.id, 'enough');
      await terminal.run('echo "same=$$. total=$n."');
      await expect(terminal.screen).toContainText(`same=${pid}.`);
      const pages = await terminal.scrollBack(/pid=/);
      const ticks = pages.map((text) => [...text.matchAll(/tick (\d+)/g)].map(([, tick]) => Number(tick)));
      for (const seen of ticks) expect(seen, 'no line of the shell is doubled').toEqual(seen.map((_, index) => (seen[0] ?? 0) + index));
      const known = new Set(ticks.flat());
      expect(known.size, 'no line of the shell is lost').toBe(Math.max(...known));
      expect(known.size).toBeGreaterThan(10);
      await shot(page, 'the same shell');
      expect((await agentsOf(shell.id)).map((agent) => agent.pid)).toEqual(agentBefore);
    });

    await test.step('the interrupted builds end', async () => {
      const isStopping = (line: string): boolean => line.startsWith('stopping main');
      await expect.poll(async () => (await jobLog(client, stop.id)).filter(isStopping).length, { timeout: BUILD_TIMEOUT_MS }).toBe(2);
      await open(berth, leaving.id, 'may-leave');
      expect((await settled(client, leaving.id)).latest_build).toMatchObject({ id: stop.id, status: 'stopped' });
      for (const { id } of newcomers) {
        expect((await settled(client, id)).latest_build.status).toBe('running');
        await expect
          .poll(async () => (await client.workspaces.get.query({ workspace: id })).health.healthy, { timeout: BUILD_TIMEOUT_MS })
          .toBe(true);
        expect(await agentsOf(id)).toHaveLength(1);
      }
      expect(await processesNaming(leaving.id)).toEqual([]);
    });

    await test.step('no line of a log is lost or doubled', async () => {
      const lines = await jobLog(client, stop.id);
      expect(lines.filter((line) => line.includes('queued again (attempt 2 of 3)'))).toHaveLength(1);
      expect(lines.filter((line) => line === 'stopped')).toHaveLength(1);
      for (const { latest_build: build } of newcomers) {
        expect(await jobLog(client, build.id)).toContain('agent main started');
        for (const attempt of attemptsIn(await jobLog(client, build.id))) expect(attempt).toEqual([...new Set(attempt)]);
      }
      const counted = Array.from({ length: LINES }, (_, index) => `line ${index + 1}`);
      await expect.poll(() => outputOfAgent(client, shellAgent), { timeout: BUILD_TIMEOUT_MS }).toEqual(counted);
      expect(await outputOfAgent(client, leavingAgent)).toEqual([...counted, 'going', 'gone']);
    });

    await test.step('everything can be stopped and deleted, and nothing is left over', async () => {
      await open(berth, shell.id, 'may-leave');
      await client.builds.create.mutate({ workspace: shell.id, transition: 'stop' });
      await settled(client, shell.id);
      const all = [shell, leaving, ...newcomers];
      for (const { id } of all) await client.builds.create.mutate({ workspace: id, transition: 'delete' });
      for (const { id } of all) {
        expect((await settled(client, id)).latest_build.status).toBe('deleted');
        expect(await processesNaming(id)).toEqual([]);
      }
      expect(await verifyAudit(berth)).toContain('unbroken');
      await berth.stop();
      expect(await processesNaming(berth.dataDir)).toEqual([]);
    });
  });
}
