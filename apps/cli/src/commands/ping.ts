import { setTimeout as pause } from 'node:timers/promises';

import { READY_OPTIONS, readyOptions } from '../connect/options.ts';
import { readyAgent } from '../connect/ready-agent.ts';
import { count, defineCommand, duration, required } from '../frame/declare.ts';
import { CliError, EXIT } from '../frame/errors.ts';
import { AGENT_FORM, refOf } from '../frame/workspace-ref.ts';

export const ping = defineCommand({
  name: 'ping',
  summary: 'Measure the latency to a workspace',
  description:
    'Measures the round trip from here through the server to the workspace’s agent and back, and how long a new connection takes.',
  args: { workspace: required(AGENT_FORM, { complete: 'workspace' }) },
  options: {
    count: count('-c, --count <n>', 'Number of round trips; 10 unless given', { min: 1, max: 10_000 }),
    interval: duration('-i, --interval <time>', 'Time between round trips; 1s unless given'),
    ...READY_OPTIONS,
  },
  examples: ['berth ping harbour', 'berth ping harbour -c 100 -o json'],
  prints: true,
  async run(cli, { args, options }) {
    const session = cli.session();
    const modules = Promise.all([
      import('../connect/open-door.ts'),
      import('../connect/ssh-client.ts'),
      import('../connect/round-trips.ts'),
    ]);
    const [ready, [{ openDoor }, { connectSsh }, { roundTrip, rounded, statisticsOf, timeToFirstByte }]] = await Promise.all([
      readyAgent(cli, readyOptions(args.workspace, { ...options, wait: options.wait ?? 'no' })),
      modules,
    ]);
    const open = () => openDoor(session, `/api/v2/workspaceagents/${ready.agent.id}/ssh`, cli.signal);
    const openMs = rounded(await timeToFirstByte(open));
    const ref = refOf(ready.workspace);
    cli.out.note(`${ref}: connected in ${openMs} ms`);
    const stream = await open();
    const client = await connectSsh(stream, { username: ready.workspace.owner_name });
    const times: (number | null)[] = [];
    try {
      const total = options.count ?? 10;
      for (let number = 1; number <= total && !cli.signal.aborted; number += 1) {
        const time = await roundTrip(client);
        times.push(time);
        if (!cli.out.isForPrograms) cli.out.line(time === null ? `${number}: no answer` : `${number}: ${rounded(time)} ms`);
        if (stream.destroyed) throw new CliError(EXIT.unavailable, 'The connection was lost.', { cause: stream.errored });
        if (number < total) await pause(options.interval ?? 1000, undefined, { signal: cli.signal }).catch(() => undefined);
      }
    } finally {
      client.end();
    }
    const statistics = statisticsOf(times);
    await cli.out.record({ workspace: ref, agent: ready.agent.name, open_ms: openMs, ...statistics }, [
      ['Workspace', ref],
      ['Connected in', `${openMs} ms`],
      ['Replies', `${statistics.count - statistics.lost} of ${statistics.count}`],
      ['Minimum', `${statistics.min_ms} ms`],
      ['Average', `${statistics.avg_ms} ms`],
      ['95th percentile', `${statistics.p95_ms} ms`],
      ['Maximum', `${statistics.max_ms} ms`],
    ]);
    return statistics.lost === 0 ? EXIT.ok : EXIT.unavailable;
  },
});
