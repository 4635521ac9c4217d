import { expect, test } from '@playwright/test';
import { runChaos } from './chaos/run.ts';

test.skip(process.platform !== 'linux', 'processes are looked at through /proc');

// Always the same choices; `npm run chaos` makes others, and more of them.
test('server, provisioners and database are killed under a stream of builds, and nothing is stuck, left over, lost or doubled', async () => {
  test.setTimeout(300_000);
  const { violations, summary, keptIn } = await runChaos({
    kills: 10,
    seed: 'short-282',
    minutes: 2,
    users: 2,
    workspacesEach: 2,
    isShort: true,
    say: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${summary.join('\n')}\n`);
  expect(violations, `the data folder is kept: ${keptIn}`).toEqual([]);
});
