import { expect, test } from './fixtures.ts';
import { enter, makeOwner } from './people.ts';
import { agentsOf, processesNaming } from './processes.ts';
import { BUILD_TIMEOUT_MS, installStarter, settled } from './provisioning.ts';
import { captured, openedTerminal } from './terminal.ts';

test.skip(process.platform !== 'linux', 'processes are looked at through /proc');

test('a Ctrl-C ends everything but the workspaces, and the next start finds all of it again', async ({ berth, page }) => {
  const { client } = await makeOwner(berth);
  const template = await installStarter(client, 'Empty shell');
  const { id } = await client.workspaces.create.mutate({ user: 'me', name: 'harbour', template_id: template });
  await settled(client, id);
  await enter(page);
  await page.goto('/@ada/harbour?tab=terminal');
  const terminal = await openedTerminal(page, 'harbour');
  await terminal.run('kept=anchor; echo "pid=$$."');
  const pid = await captured(terminal, /pid=(\d+)\./);
  const agents = (await agentsOf(id)).map((agent) => agent.pid);
  expect(agents).toHaveLength(1);

  await test.step('it ends within seconds and leaves nothing behind but the workspace', async () => {
    const beganAt = performance.now();
    await berth.stop();
    expect(performance.now() - beganAt).toBeLessThan(25_000);
    await expect(fetch(berth.url)).rejects.toThrow();
    const left = await processesNaming(berth.dataDir);
    expect(left.filter(({ command, environment }) => !`${command}\n${environment}`.includes(id))).toEqual([]);
    expect((await agentsOf(id)).map((agent) => agent.pid)).toEqual(agents);
  });

  await test.step('the next start finds accounts, sessions, workspaces and their shells', async () => {
    await berth.start();
    await expect(page.getByText('Connection lost.')).toBeHidden({ timeout: BUILD_TIMEOUT_MS });
    await terminal.run('echo "again=$$.$kept."');
    await expect(terminal.screen).toContainText(`again=${pid}.anchor.`);
    await page.goto('/workspaces');
    await expect(page.getByRole('link', { name: 'harbour' })).toBeVisible();
    await expect(page.getByRole('row', { name: /harbour/ })).toContainText('Running');
    expect((await client.workspaces.get.query({ workspace: id })).health.healthy).toBe(true);
  });

  await test.step('a stopped workspace leaves nothing behind either', async () => {
    await client.builds.create.mutate({ workspace: id, transition: 'stop' });
    await settled(client, id);
    expect(await agentsOf(id)).toEqual([]);
    await berth.stop();
    expect(await processesNaming(berth.dataDir)).toEqual([]);
  });
});
