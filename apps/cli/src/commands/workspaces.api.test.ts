import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestCli } from '../testing/index.ts';

const cli = await createTestCli({ allowWorkspaceRenames: true });
const { rows, provision } = cli;

async function owned(overrides: Parameters<typeof rows.workspace>[0] = {}) {
  const made = await rows.workspace(overrides);
  return { ...made, name: made.workspace.name, berth: await cli.as(made.owner.id) };
}

async function withTemplate(overrides: Parameters<typeof rows.template>[0] = {}) {
  const made = await rows.template(overrides);
  const user = await rows.user({ memberOf: [made.organization.id] });
  return { ...made, user, berth: await cli.as(user.id) };
}

const REGION = {
  name: 'region',
  required: true,
  mutable: false,
  options: [
    { name: 'Europe', value: 'eu', description: '', icon: '' },
    { name: 'America', value: 'us', description: '', icon: '' },
  ],
};
const CPUS = { name: 'cpus', type: 'number', mutable: true, defaultValue: '2', validationMin: 1, validationMax: 8 };

describe('list', () => {
  it('shows one’s own workspaces, and with --all those of others that one may see', async () => {
    const mine = await owned();
    const admin = await rows.user({ siteRoles: ['owner'] });
    const other = await cli.as(admin.id);
    const listed = await mine.berth('list');
    expect(listed.stdout).toContain(`${mine.owner.username}/${mine.name}`);
    expect((await mine.berth('ls', '-o', 'json')).json()).toMatchObject([{ id: mine.workspace.id, latest_build: { status: 'running' } }]);
    expect((await mine.berth('list', '-o', 'yaml')).stdout).toContain(`id: ${mine.workspace.id}`);
    expect((await other('list')).stderr).toContain('berth create');
    expect((await other('list', '--all', '-c', 'id')).stdout).toContain(mine.workspace.id);
    expect((await other('list', `owner:${mine.owner.username}`, '-c', 'id')).stdout).toBe(`ID\n${mine.workspace.id}\n`);
  });

  it('shows health only of a workspace that runs', async () => {
    const { template, user, berth } = await withTemplate();
    await rows.workspace({ template, owner: user, name: 'runs' });
    await rows.workspace({ template, owner: user, name: 'breaks', status: 'failed' });
    await rows.workspace({ template, owner: user, name: 'starts', status: 'running' });
    const listed = await berth('list', '-c', 'status,health');
    const cells = listed.stdout.trim().split('\n').slice(1);
    expect(cells.map((line) => line.trim().replaceAll(/ +/g, ' ')).toSorted()).toEqual(['failed', 'running healthy', 'starting']);
  });

  it('reads all pages up to --limit, and says when rows are left out', async () => {
    const { template, user, berth } = await withTemplate();
    for (let index = 0; index < 3; index += 1) await rows.workspace({ template, owner: user });
    const some = await berth('list', '--limit', '2', '-o', 'json');
    expect(some.json()).toHaveLength(2);
    expect(some.stderr).toContain('--limit');
    expect((await berth('list', '-o', 'json')).json()).toHaveLength(3);
  });

  it('refuses a search that cannot be read, and a column that is not there, with exit code 2', async () => {
    const { berth } = await owned();
    expect((await berth('list', 'status:flying')).code).toBe(2);
    expect(await berth('list', '-c', 'colour')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('workspace') });
    expect((await berth('list', '--limit', '0')).code).toBe(2);
    expect((await berth('list', '-o', 'xml')).code).toBe(2);
  });

  it('prints nothing of a server that a terminal would obey', async () => {
    const made = await owned();
    await cli.prisma.template.update({
      where: { id: made.template.id },
      data: { displayName: 'red\u001b[31m \u009b31mbell\u0007\nline \u202eover' },
    });
    for (const format of ['table', 'json', 'yaml']) {
      const { stdout } = await made.berth('list', '-o', format);
      // oxlint-disable-next-line no-control-regex -- they must not be there
      expect(stdout, format).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect((await made.berth('list')).stdout).toContain('red bell line over');
  });
});

describe('show', () => {
  it('tells of one’s own workspace by its name and of others by owner/name, and 4 of those that one may not see', async () => {
    const mine = await owned();
    const other = await owned();
    expect((await mine.berth('show', mine.name)).stdout).toContain('running');
    expect((await mine.berth('show', mine.workspace.id, '-o', 'json')).json()).toMatchObject({ name: mine.name });
    const hidden = await mine.berth('show', `${other.owner.username}/${other.name}`);
    const absent = await mine.berth('show', `${other.owner.username}/nothing`);
    expect([hidden.code, absent.code]).toEqual([4, 4]);
    expect(hidden.stderr.replace(other.name, 'nothing')).toBe(absent.stderr);
    expect((await mine.berth('show', 'a/b/c')).code).toBe(2);
  });

  it('says why a build waits', async () => {
    const waiting = await owned({ status: 'pending' });
    expect((await waiting.berth('show', waiting.name)).stdout).toMatch(/Why: +\S/);
  });
});

describe('create', () => {
  it('waits with the log on stderr until the workspace runs, and prints only the workspace on stdout', async () => {
    const { template, organization, user, berth } = await withTemplate({ richParameters: [REGION, CPUS] });
    const run = berth('create', 'dev', '-t', template.name, '-p', 'region=eu', '-o', 'json');
    await provision(organization.id, { logs: ['Fetching it', 'Made\u001b[2J it'] });
    const made = await run;
    expect(made.stderr).toContain('Made it');
    expect(made.stderr).toContain('berth ssh dev');
    expect(made.json()).toMatchObject({ name: 'dev', owner_name: user.username, latest_build: { status: 'running' } });
    expect(made.code).toBe(0);
    const parameters = await cli.prisma.workspaceBuildParameter.findMany({ orderBy: { name: 'asc' }, select: { name: true, value: true } });
    expect(parameters).toEqual([
      { name: 'cpus', value: '2' },
      { name: 'region', value: 'eu' },
    ]);
  });

  it('holds parameters to the rules of the template before anything is sent', async () => {
    const { template, berth } = await withTemplate({ richParameters: [REGION, CPUS] });
    const wrong = await berth('create', 'dev', '-t', template.name, '-p', 'region=mars', '-p', 'cpus=99');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/region: .*\n.*cpus: /);
    const missing = await berth('create', 'dev', '-t', template.name);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('--parameter region=<value>') });
    expect(await berth('create', 'dev', '-t', template.name, '-p', 'speed=9')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Parameters: '),
    });
    expect((await berth('create', 'dev', '-t', template.name, '-p', 'region')).code).toBe(2);
    expect((await berth('list', '-o', 'json')).json()).toEqual([]);
  });

  it('takes parameters from a file, and those of the command line before them', async () => {
    const { template, berth } = await withTemplate({ richParameters: [REGION, CPUS] });
    const folder = await mkdtemp(join(tmpdir(), 'berth-cli-'));
    afterAll(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'parameters.yaml');
    await writeFile(file, 'region: us\ncpus: 4\n');
    const made = await berth('create', 'dev', '-t', template.name, '--parameter-file', file, '-p', 'cpus=8', '--no-wait', '-o', 'json');
    expect(made.code).toBe(0);
    const workspace = await cli.prisma.workspace.findFirstOrThrow({
      where: { template: { id: template.id } },
      select: { latestBuildId: true },
    });
    const parameters = await cli.prisma.workspaceBuildParameter.findMany({
      where: { buildId: workspace.latestBuildId ?? '' },
      orderBy: { name: 'asc' },
      select: { value: true },
    });
    expect(parameters.map(({ value }) => value)).toEqual(['8', 'us']);
    expect((await berth('create', 'web', '-t', template.name, '--parameter-file', join(folder, 'absent.yaml'))).code).toBe(2);
  });

  it('asks nothing where nobody is: the missing flag is named, and a name is made up', async () => {
    const { template, berth } = await withTemplate();
    const unnamed = await berth('create', 'dev');
    expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('--template <name>') });
    expect(unnamed.stderr, 'names, not ids').toContain(`One of: ${template.name}\n`);
    const made = await berth('create', '-t', template.name, '--no-wait', '-o', 'json');
    expect(made.json()).toMatchObject({ name: expect.stringMatching(/^[a-z]+-[a-z]+$/) });
  });

  it('refuses bad and taken names, and templates that are not there', async () => {
    const { template, user, berth } = await withTemplate();
    await rows.workspace({ template, owner: user, name: 'taken' });
    expect((await berth('create', 'bad_name', '-t', template.name)).code).toBe(2);
    expect((await berth('create', 'taken', '-t', template.name)).code).toBe(6);
    expect((await berth('create', 'dev', '-t', 'nothing')).code).toBe(4);
    expect((await berth('create', 'dev', '-t', template.name, '--version', 'nothing')).code).toBe(4);
    expect((await berth('create', 'dev', '-t', template.name, '--stop-after', 'soon')).code).toBe(2);
    const other = await berth('create', 'nobody-here/dev', '-t', template.name);
    expect(other).toMatchObject({ code: 4, stderr: expect.stringContaining('There is no user "nobody-here" in the organization') });
    expect((await berth('create', 'dev', '-t', template.name, '--autostart', '9 o’clock')).code).toBe(2);
  });

  it('that fails is exit code 1, with the sentence that says why', async () => {
    const { template, organization, berth } = await withTemplate();
    const run = berth('create', 'dev', '-t', template.name);
    await provision(organization.id, { error: 'no space left on the host' });
    const failed = await run;
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('no space left on the host');
    const logs = await berth('logs', 'dev');
    expect(logs.stderr).toContain('no space left on the host');
  });
});

describe('start scripts', () => {
  /** A workspace that is being created, whose agent has one start script. */
  async function creating(agent: Partial<Parameters<typeof rows.agent>[0]>, timing?: { status: string; exitCode: number }) {
    const { template, organization, berth } = await withTemplate();
    const run = berth('create', 'dev', '-t', template.name);
    let agentId = '';
    await provision(organization.id, {
      make: async (jobId) => {
        const scripts = [{ script: 'npm install', displayName: 'Install dependencies', runOnStart: true }];
        const made = await rows.agent({ connected: true, scripts, jobId, ...agent });
        agentId = made.agent.id;
        if (timing === undefined) return;
        const { id: scriptId } = await cli.prisma.workspaceAgentScript.findFirstOrThrow({ where: { agentId }, select: { id: true } });
        await cli.prisma.workspaceAgentScriptTiming.create({
          data: { scriptId, stage: 'start', startedAt: new Date(), endedAt: new Date(), ...timing },
        });
      },
    });
    return { run, berth, agentId };
  }

  it('are waited for before a workspace counts as created', async () => {
    const { run, agentId } = await creating({ lifecycleState: 'starting' });
    await cli.prisma.workspaceAgent.update({ where: { id: agentId }, data: { lifecycleState: 'ready' } });
    const made = await run;
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('is running') });
    expect(made.stderr).toContain('Waiting for the start scripts of ');
  });

  it('that fail end the command with exit code 1, their name and their exit code', async () => {
    const failing = { status: 'exit_failure', exitCode: 3 };
    const { run, berth } = await creating({ lifecycleState: 'start_error' }, failing);
    const failed = await run;
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('/dev is running, but the start script "Install dependencies" failed (exit code 3).');
    expect((await berth('list', '-o', 'json')).json()).toMatchObject([{ name: 'dev' }]);
  });

  it('that exceed their time limit are named, too', async () => {
    const { run } = await creating({ lifecycleState: 'start_timeout' }, { status: 'timed_out', exitCode: -1 });
    expect(await run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the start script "Install dependencies" exceeded its time limit'),
    });
  });

  it('of an agent that never connects do not hang the command', async () => {
    const { run } = await creating({ connected: false, connectionTimeoutSeconds: 1, createdAt: new Date(0) });
    expect(await run).toMatchObject({ code: 1, stderr: expect.stringContaining('main has not connected within 1s') });
  });
});

describe('the life of a workspace', () => {
  it('stops, starts, restarts and is deleted, and repeating what is done already changes nothing', async () => {
    const { name, berth, organization, workspace } = await owned();
    expect((await berth('start', name)).stdout).toContain('already running');
    const stopping = berth('stop', name);
    await provision(organization.id);
    expect(await stopping).toMatchObject({ code: 0, stdout: expect.stringContaining('is stopped') });
    expect((await berth('stop', name)).stdout).toContain('already stopped');
    const starting = berth('start', name, '-o', 'json');
    await provision(organization.id);
    expect((await starting).json()).toMatchObject({ latest_build: { status: 'running', build_number: 3 } });
    const restarting = berth('restart', name);
    await provision(organization.id);
    await provision(organization.id);
    expect(await restarting).toMatchObject({ code: 0, stdout: expect.stringContaining('is running') });
    const refused = await berth('delete', name);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${name} and everything in it. Without a terminal, confirm it with --yes.\n`),
    });
    const deleting = berth('delete', name, '--yes');
    await provision(organization.id);
    expect(await deleting).toMatchObject({ code: 0, stdout: expect.stringContaining('is deleted') });
    expect((await cli.prisma.workspace.findUniqueOrThrow({ where: { id: workspace.id } })).deleted).toBe(true);
    expect((await berth('show', name)).code).toBe(4);
  });

  it('joins a start that is under way instead of being refused', async () => {
    const { name, berth, organization } = await owned({ status: 'pending' });
    const [one, two] = [berth('start', name), berth('start', name)];
    await provision(organization.id);
    expect(await Promise.all([one, two])).toMatchObject([{ code: 0 }, { code: 0 }]);
  });

  it('a stop while it starts is a conflict', async () => {
    const { name, berth } = await owned({ status: 'pending' });
    expect((await berth('stop', name)).code).toBe(6);
    expect((await berth('restart', name)).code).toBe(6);
  });

  it('of somebody else is refused to those who may only look, and orphaning to those who only use the template', async () => {
    const made = await owned();
    const admin = await cli.as((await rows.user({ siteRoles: ['auditor'] })).id);
    expect([4, 5]).toContain((await admin('stop', `${made.owner.username}/${made.name}`)).code);
    expect((await made.berth('delete', made.name, '--orphan', '--yes')).code).toBe(5);
  });

  it('wakes up a dormant workspace before it starts', async () => {
    const made = await owned({ transition: 'stop', dormantAt: new Date() });
    const starting = made.berth('start', made.name);
    await provision(made.organization.id);
    expect(await starting).toMatchObject({ code: 0, stderr: expect.stringContaining('was dormant') });
  });

  it('moves to the active version, and asks for what is new there', async () => {
    const made = await owned({ richParameters: [CPUS], parameters: { cpus: '4' } });
    expect((await made.berth('update', made.name)).stdout).toContain('already');
    const { version } = await rows.version({
      organization: made.organization,
      templateId: made.template.id,
      richParameters: [CPUS, REGION],
    });
    await cli.prisma.template.update({ where: { id: made.template.id }, data: { activeVersionId: version.id } });
    expect(await made.berth('update', made.name)).toMatchObject({ code: 2, stderr: expect.stringContaining('region') });
    const updating = made.berth('update', made.name, '-p', 'region=eu');
    await provision(made.organization.id);
    expect(await updating).toMatchObject({ code: 0, stdout: expect.stringContaining(version.name) });
    const now = await cli.prisma.workspace.findUniqueOrThrow({ where: { id: made.workspace.id }, select: { latestBuildId: true } });
    const parameters = await cli.prisma.workspaceBuildParameter.findMany({
      where: { buildId: now.latestBuildId ?? '' },
      orderBy: { name: 'asc' },
    });
    expect(parameters.map(({ value }) => value)).toEqual(['4', 'eu']);
  });

  it('has its build canceled, where the template lets people do that', async () => {
    const made = await owned({ status: 'pending' });
    expect((await made.berth('cancel', made.name)).code).toBe(5);
    await cli.prisma.template.update({ where: { id: made.template.id }, data: { allowUserCancelWorkspaceJobs: true } });
    expect((await made.berth('cancel', made.name)).code).toBe(0);
    expect((await made.berth('show', made.name, '-o', 'json')).json()).toMatchObject({ latest_build: { status: 'canceled' } });
  });

  it('gets another name, and a place among the favorites', async () => {
    const made = await owned({ transition: 'stop' });
    expect(await made.berth('rename', made.name, 'web')).toMatchObject({ code: 0, stdout: expect.stringContaining('/web') });
    expect((await made.berth('rename', 'web', 'not a name')).code).toBe(2);
    expect((await made.berth('favorite', 'web', '-o', 'json')).json()).toMatchObject({ favorite: true });
    expect((await made.berth('favorite', 'web', '--remove', '-o', 'json')).json()).toMatchObject({ favorite: false });
  });

  it('goes on when the one who watches its build interrupts, with exit code 130', async () => {
    const { template, user } = await withTemplate();
    const { run } = await import('../testing/run.ts');
    const interrupt = new AbortController();
    const env = { BERTH_URL: cli.url, BERTH_SESSION_TOKEN: await cli.keyOf(user.id) };
    const creating = run(['create', 'dev', '-t', template.name], { env, signal: interrupt.signal });
    while ((await cli.prisma.workspace.count({ where: { ownerId: user.id } })) === 0) await soon();
    interrupt.abort();
    expect(await creating).toMatchObject({ code: 130 });
    expect(await cli.prisma.provisionerJob.count({ where: { initiatorId: user.id, canceledAt: null } })).toBe(1);
  });
});

describe('logs', () => {
  it('prints those of a build and of its agents, of one of them, and of an older build', async () => {
    const made = await owned();
    const { agent } = await rows.agent({ jobId: made.job.id });
    await cli.prisma.provisionerJobLog.create({
      data: { jobId: made.job.id, stage: 'Planning', output: 'planned it', level: 'info', source: 'provisioner', createdAt: new Date() },
    });
    const all = await made.berth('logs', made.name);
    expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('planned it') });
    expect((await made.berth('logs', made.name, '--build', '1', '-o', 'json')).json()).toMatchObject([
      { source: 'build', output: 'planned it' },
    ]);
    expect((await made.berth('logs', `${made.name}.${agent.name}`, '-o', 'json')).json()).toEqual([]);
    expect((await made.berth('logs', `${made.name}.nothing`)).code).toBe(4);
    expect((await made.berth('logs', made.name, '--build', '9')).code).toBe(4);
    expect((await made.berth('logs', `${made.name}.${agent.name}`, '--build', '1')).code).toBe(2);
  });

  it('follow a build until it ends', async () => {
    const made = await owned({ status: 'pending' });
    const following = made.berth('logs', made.name, '--follow', '--build-only');
    await provision(made.organization.id, { logs: ['one', 'two'] });
    const { code, stdout } = await following;
    expect(code).toBe(0);
    expect(stdout).toMatch(/one\n(.*\n)?two\n/);
  });
});

describe('schedule', () => {
  it('is set in plain words, shown, extended and taken away', async () => {
    const made = await owned({ ttlMs: 3_600_000n });
    const set = await made.berth('schedule', 'start', made.name, '9:30', 'mon-fri', 'Europe/Lisbon', '-o', 'json');
    expect(set.json()).toMatchObject({ autostart_schedule: 'CRON_TZ=Europe/Lisbon 30 9 * * mon-fri' });
    expect((await made.berth('schedule', 'show', made.name)).stdout).toContain('Europe/Lisbon');
    expect((await made.berth('schedule', 'stop', made.name, '8h', '-o', 'json')).json()).toMatchObject({ ttl_ms: 28_800_000 });
    expect((await made.berth('schedule', 'extend', made.name, '1h')).code).toBe(6);
    const deadline = new Date(Date.now() + 7_200_000);
    await cli.prisma.workspaceBuild.update({ where: { id: made.build.id }, data: { deadline } });
    const extended = await made.berth('schedule', 'extend', made.name, '1h', '-o', 'json');
    expect(extended.json()).toMatchObject({
      deadline: expect.stringContaining(new Date(deadline.getTime() + 3_600_000).toISOString().slice(0, 19)),
    });
    expect((await made.berth('schedule', 'start', made.name, 'off', '-o', 'json')).json()).toMatchObject({ autostart_schedule: null });
    expect((await made.berth('schedule', 'stop', made.name, 'off', '-o', 'json')).json()).toMatchObject({ ttl_ms: null });
  });

  it('of a running workspace says when it stops and by which rule', async () => {
    const made = await owned({ ttlMs: 3_600_000n });
    const deadline = new Date(Date.now() + 7_230_000);
    await cli.prisma.workspaceBuild.update({ where: { id: made.build.id }, data: { deadline, deadlineRule: 'ttl' } });
    const shown = await made.berth('schedule', 'show', made.name);
    expect(shown.stdout).toMatch(/Stops: +in 2 hours/);
    expect(shown.stdout).toMatch(/Upcoming: +stops in 2 hours .*: autostop of the workspace/);
    const set = await made.berth('schedule', 'stop', made.name, '8h');
    expect(set.stderr).toContain('keeps its current deadline, in 2 hours; the new setting takes effect at the next start');
  });

  it('that does not apply to the current run says so', async () => {
    const made = await owned();
    const set = await made.berth('schedule', 'stop', made.name, '8h');
    expect(set).toMatchObject({ code: 0, stdout: expect.stringMatching(/Autostop: +8h after each start\nStops: +not automatically/) });
    expect(set.stderr).toContain('Autostop takes effect at the next start');
    await made.berth('schedule', 'stop', made.name, 'off');
    const started = await made.berth('schedule', 'start', made.name, '9:30');
    expect(started.stderr).toContain('autostart applies only after someone stops it');
    const stopped = await owned({ transition: 'stop' });
    expect(await stopped.berth('schedule', 'stop', stopped.name, '8h')).toMatchObject({ code: 0, stderr: '' });
  });

  it('that cannot be read is exit code 2, with an example', async () => {
    const made = await owned();
    for (const words of [['noonish'], ['25:00'], ['9:30', 'funday'], ['9:30', 'Mars/Olympus'], []]) {
      const { code, stderr } = await made.berth('schedule', 'start', made.name, ...words);
      expect(code, words.join(' ')).toBe(2);
      expect(stderr).toContain('9:30');
    }
    expect((await made.berth('schedule', 'stop', made.name, 'later')).code).toBe(2);
    expect((await made.berth('schedule', 'stop', made.name, '10s')).code).toBe(2);
  });
});
