import type { MemoryResult } from './agents/memory.ts';
import type { ConnectResult } from './connect/measure.ts';
import type { StreamResult } from './connect/throughput.ts';
import type { FirstLoadResult } from './dashboard/first-load.ts';
import type { LongListResult } from './dashboard/long-list.ts';
import type { MachineFacts } from './machine/facts.ts';
import type { Latency } from './machine/statistics.ts';
import type { Sizes } from './options.ts';
import type { PickUpResult } from './queue/pick-up.ts';
import type { CombinationsResult } from './reads/audit-combinations.ts';
import type { ReadResult } from './reads/measure.ts';
import type { StartResult } from './start/cold-start.ts';

export interface Results {
  readonly date: string;
  readonly command: string;
  readonly machine: MachineFacts;
  readonly sizes: Sizes;
  readonly fillSeconds: number | null;
  readonly serverStartMs: number | null;
  readonly reads: readonly ReadResult[];
  readonly audit: CombinationsResult | null;
  readonly start: StartResult | null;
  readonly pickUp: PickUpResult | null;
  readonly connect: ConnectResult | null;
  readonly firstLoad: FirstLoadResult | null;
  readonly longList: LongListResult | null;
  readonly memory: MemoryResult | null;
}

/** What the product aims at; the report sets each beside what was measured. */
const AIMS = {
  auditPageMs: 100,
  startMs: 1000,
  pickUpMs: 100,
  idleMiB: 250,
  echoMs: 20,
  megabytesPerSecond: 300,
  agentMiB: 60,
  largestPaintMs: 1500,
  scriptKiB: 350,
  frameMs: 50,
} as const;

const whole = (value: number): string => (Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '–');
const ms = (value: number): string => (Number.isFinite(value) ? (value < 10 ? value.toFixed(1) : whole(value)) : '–');
const mib = (bytes: number): string => `${whole(bytes / 2 ** 20)} MiB`;
const verdict = (isMet: boolean): string => (isMet ? 'met' : '**missed**');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

function readsTable(reads: readonly ReadResult[]): string {
  const head = ['read', 'door', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'server CPU µs', 'PostgreSQL CPU µs', 'bytes', 'aim p95', ''];
  const rows = reads.flatMap(({ operation, rest, rpc, alone, statements }) => [
    ...(
      [
        ['REST', rest],
        ['tRPC', rpc],
      ] as const
    ).map(([door, result]) => [
      operation.name,
      door,
      whole(result.perSecond),
      ms(result.latency.p50),
      ms(result.latency.p95),
      ms(result.latency.p99),
      whole(result.serverMicros),
      whole(result.postgresMicros),
      whole(result.bytesPerAnswer),
      `${operation.aimMs} ms`,
      verdict(result.latency.p95 < operation.aimMs),
    ]),
    [
      operation.name,
      `PostgreSQL alone (${statements.length} ${statements.length === 1 ? 'statement' : 'statements'})`,
      whole(alone.perSecond),
      ms(alone.latency.p50),
      ms(alone.latency.p95),
      ms(alone.latency.p99),
      '',
      '',
      '',
      '',
      '',
    ],
  ]);
  return table(head, rows);
}

function startTable(start: StartResult): string {
  return table(
    ['moment of a start', 'median ms since the request'],
    [
      ['the request is answered', ms(start.accepted)],
      ['the watcher sees the agent of the plan', ms(start.planned)],
      ['the terminal’s WebSocket is open', ms(start.opened)],
      ['the first bytes of the shell arrive', ms(start.p50)],
      ['by the server’s clock: a daemon has the job', ms(start.jobStarted)],
      ['by the server’s clock: the agent is connected', ms(start.agentConnected)],
      ['by the server’s clock: the build has ended', ms(start.jobCompleted)],
    ],
  );
}

function pickUpText({ daemons, builds, shares }: PickUpResult): string {
  return `${builds} builds are queued one after the other on the real server with the embedded PostgreSQL, while ${daemons} daemons wait on their WebSockets. They took ${shares.join(', ')} of them.`;
}

function pickUpTable({ pickUp, leased, fromRequest }: PickUpResult): string {
  const row = (name: string, { p50, p95, p99 }: Latency): string[] => [name, ms(p50), ms(p95), ms(p99)];
  return table(
    ['', 'p50 ms', 'p95 ms', 'p99 ms'],
    [
      row('from queued to leased, by the server’s clock', leased),
      row('from queued to the daemon’s hands', pickUp),
      row('from the request to the daemon’s hands', fromRequest),
    ],
  );
}

function megabytesPerSecond({ bytes, seconds }: StreamResult): number {
  return bytes / 1e6 / seconds;
}

function connectTable({ tcp, download }: ConnectResult): string {
  const row = (name: string, stream: StreamResult): string[] => [
    name,
    whole(megabytesPerSecond(stream)),
    whole(stream.serverMicrosPerMB),
    whole(stream.agentMicrosPerMB),
    mib(stream.serverGrowthBytes),
    mib(stream.agentGrowthBytes),
  ];
  return table(
    ['one stream', 'MB/s', 'server CPU µs/MB', 'agent CPU µs/MB', 'server memory grew by', 'agent memory grew by'],
    [row('TCP port by the door for programs', tcp), row('download from a web app', download)],
  );
}

function summaryTable({ reads, audit, start, pickUp, connect, firstLoad, longList, memory }: Results): string {
  const rows: string[][] = [];
  const worst = (aimMs: number): ReadResult | undefined =>
    reads.filter(({ operation }) => operation.aimMs === aimMs).toSorted((a, b) => b.rest.latency.p95 - a.rest.latency.p95)[0];
  for (const [label, aimMs] of [
    ['reads, slowest p95 over REST', 50],
    ['audit pages, slowest p95 over REST', 100],
  ] as const) {
    const slowest = worst(aimMs);
    if (slowest === undefined) continue;
    const { p95 } = slowest.rest.latency;
    rows.push([`${label} (${slowest.operation.name})`, `< ${aimMs} ms`, `${ms(p95)} ms`, verdict(p95 < aimMs)]);
  }
  const [slowest] = audit?.slowest ?? [];
  if (audit !== null && slowest !== undefined) {
    rows.push([
      `first page of the audit log, slowest of ${audit.searches} searches, p50`,
      `< ${AIMS.auditPageMs} ms`,
      `${ms(slowest.median)} ms`,
      verdict(slowest.median < AIMS.auditPageMs),
    ]);
  }
  if (start !== null) {
    rows.push([
      'start of a stopped workspace to its shell’s first bytes, p50',
      `< ${AIMS.startMs} ms`,
      `${ms(start.p50)} ms`,
      verdict(start.p50 < AIMS.startMs),
    ]);
    rows.push(['the same, p95', '', `${ms(start.p95)} ms`, '']);
  }
  if (pickUp !== null) {
    const { p95 } = pickUp.pickUp;
    rows.push([
      `a queued build to the hands of one of ${pickUp.daemons} waiting daemons, p95`,
      `< ${AIMS.pickUpMs} ms`,
      `${ms(p95)} ms`,
      verdict(p95 < AIMS.pickUpMs),
    ]);
  }
  if (connect !== null) {
    const { p95 } = connect.echo;
    const speed = megabytesPerSecond(connect.tcp);
    rows.push(['echo of a key in a terminal, p95', `< ${AIMS.echoMs} ms`, `${ms(p95)} ms`, verdict(p95 < AIMS.echoMs)]);
    rows.push([
      'one stream out of a workspace, end to end',
      `≥ ${AIMS.megabytesPerSecond} MB/s`,
      `${whole(speed)} MB/s`,
      verdict(speed >= AIMS.megabytesPerSecond),
    ]);
    const atRest = connect.agentRestBytes / 2 ** 20;
    rows.push(['an agent’s memory at rest', `< ${AIMS.agentMiB} MiB`, mib(connect.agentRestBytes), verdict(atRest < AIMS.agentMiB)]);
  }
  if (firstLoad !== null) {
    const kib = firstLoad.scriptBytes / 1024;
    rows.push([
      `largest paint of a first load, processor slowed ${firstLoad.cpuSlowdown} times, p50`,
      `< ${AIMS.largestPaintMs} ms`,
      `${ms(firstLoad.largestPaintP50)} ms`,
      verdict(firstLoad.largestPaintP50 < AIMS.largestPaintMs),
    ]);
    rows.push(['JavaScript of a first load, compressed', `< ${AIMS.scriptKiB} KiB`, `${whole(kib)} KiB`, verdict(kib < AIMS.scriptKiB)]);
  }
  if (longList !== null) {
    rows.push([
      `a frame while ${whole(longList.rows)} workspaces are scrolled through, p99`,
      `< ${AIMS.frameMs} ms`,
      `${ms(longList.frameP99)} ms`,
      verdict(longList.frameP99 < AIMS.frameMs),
    ]);
  }
  if (memory !== null) {
    const idle = memory.idleBytes / 2 ** 20;
    rows.push(['server memory, idle', `< ${AIMS.idleMiB} MiB`, mib(memory.idleBytes), verdict(idle < AIMS.idleMiB)]);
    rows.push([`server memory with ${memory.agents} agents`, '', mib(memory.withAgentsBytes), '']);
  }
  return table(['', 'aim', 'measured', ''], rows);
}

/** The whole report as Markdown; the console shows the same. */
export function reportOf(results: Results): string {
  const { machine, sizes, reads, audit, start, pickUp, connect, firstLoad, longList, memory, fillSeconds, serverStartMs } = results;
  const parts = [
    '# Performance',
    `Measured on ${results.date} with \`${results.command}\`, which makes its own data, starts the real server and writes this page. Numbers are of one run.`,
    `Machine: ${machine.cores} cores (${machine.cpuModel}), ${machine.memoryGiB} GiB memory, ${machine.system}, Node ${machine.node}. Load before the run: ${machine.load.toFixed(1)}.`,
    '## In short',
    summaryTable(results),
  ];
  if (reads.length > 0) {
    parts.push(
      '## Reads',
      `${sizes.users} users, ${whole(sizes.workspaces)} workspaces of ${sizes.buildsPerWorkspace} builds, ${whole(sizes.auditRows)} audit rows; ${sizes.connections} connections, ${sizes.seconds} s each after ${sizes.warmUpSeconds} s of warm-up, without a rate limit. The caller owns the deployment.`,
      'Server, PostgreSQL and the program that asks share the cores, so latency is mostly waiting for a processor: with all connections busy, p50 is about connections ÷ requests per second. *CPU* is processor time for one request, from `/proc`. *PostgreSQL alone* runs the very statements that the server sent (taken from PostgreSQL’s log, with their parameters) on 10 connections, without server and HTTP.',
      readsTable(reads),
    );
  }
  if (audit !== null) {
    parts.push(
      '## First pages of the audit log',
      `Every filter by itself and every two and three of them together, ${audit.searches} searches of ${whole(sizes.auditRows)} rows, one after the other through the dashboard’s own call, each with the exact total: ${ms(audit.median)} ms (p50), ${ms(audit.p95)} ms (p95). The slowest of them:`,
      table(
        ['search', 'p50 ms', 'slowest ms'],
        audit.slowest.map(({ q, median, slowest }) => [`\`${q}\``, ms(median), ms(slowest)]),
      ),
    );
  }
  if (start !== null) {
    parts.push(
      '## From a request to a prompt',
      `A stopped workspace of the \`shell\` starter is started ${start.starts} times, with the built-in provisioner and the embedded PostgreSQL. The clock starts before the request and stops at the first bytes of the shell, on a terminal that is opened as soon as the plan names the agent.`,
      startTable(start),
    );
  }
  if (pickUp !== null) parts.push('## From the queue to a provisioner', pickUpText(pickUp), pickUpTable(pickUp));
  if (connect !== null) {
    const { echo } = connect;
    parts.push(
      '## Into a workspace',
      `${connect.keys} keys are typed into a shell of a workspace, over a WebSocket to the server and the agent’s tunnel, all on loopback: the echo comes back after ${ms(echo.p50)} ms (p50), ${ms(echo.p95)} ms (p95), ${ms(echo.p99)} ms (p99).`,
      `One stream carries ${whole(connect.tcp.bytes / 1e6)} MB out of the workspace. Four processes share the two cores: the program that sends, the agent, the server and the program that receives.`,
      connectTable(connect),
    );
  }
  if (firstLoad !== null) {
    parts.push(
      '## First load of the dashboard',
      `\`${firstLoad.page}\` with the data above is opened ${firstLoad.loads} times in Chromium, each time with an empty cache and with the processor slowed ${firstLoad.cpuSlowdown} times by the browser’s developer tools, on loopback: largest contentful paint after ${ms(firstLoad.largestPaintP50)} ms (p50), ${ms(firstLoad.largestPaintMax)} ms at most; ${firstLoad.requests} requests, ${whole(firstLoad.scriptBytes / 1024)} KiB of JavaScript as it travels.`,
    );
  }
  if (longList !== null) {
    parts.push(
      '## A long list in the dashboard',
      `\`${longList.page}\` with ${whole(longList.rows)} workspaces is scrolled from its beginning to its end in Chromium without a graphics card, ${longList.pixelsPerFrame} pixels with each frame, while its pages are loaded: ${whole(longList.frames)} frames of ${ms(longList.frameP50)} ms (p50), ${ms(longList.frameP99)} ms (p99), ${ms(longList.frameMax)} ms at most; ${whole(longList.longTasks)} tasks of more than 50 ms, the longest of ${ms(longList.longestTask)} ms. The page used ${ms(longList.cpuPerFrame)} ms of processor time for a frame, in all its threads. The last rows were there ${ms(longList.settledAfter)} ms after the end was reached, and the page then had ${whole(longList.elements)} elements.`,
    );
  }
  if (memory !== null) {
    parts.push(
      '## Memory',
      `Resident memory of the server process, with the data above. ${memory.agents} simulated agents hold two WebSockets each (typed calls and the tunnel) and report four metadata values every 10 s; all of them connected in ${(memory.dialMs / 1000).toFixed(1)} s, and the server then used ${(memory.serverLoad * 100).toFixed(0)} % of one core and PostgreSQL ${(memory.postgresLoad * 100).toFixed(0)} %, for ${whole(memory.statementsPerSecond)} statements per second.`,
      table(
        ['', 'resident memory'],
        [
          ['idle', mib(memory.idleBytes)],
          [`with ${memory.agents} agents`, mib(memory.withAgentsBytes)],
        ],
      ),
    );
  }
  const notes = [
    fillSeconds === null ? null : `Filling and sealing the database took ${whole(fillSeconds)} s.`,
    serverStartMs === null ? null : `The server answered ${whole(serverStartMs)} ms after its process was started.`,
    'Figures vary by a fifth or more between runs on shared machines; compare ratios, and compare runs of one machine.',
  ].filter((note) => note !== null);
  parts.push('## Notes', notes.map((note) => `- ${note}`).join('\n'));
  return `${parts.join('\n\n')}\n`;
}
