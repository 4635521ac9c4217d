import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BuildJob } from '@berth/protocol';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { DriverContext } from '../../driver.ts';
import { DriverError } from '../../driver.ts';
import { buildJob } from '../../testing/jobs.ts';
import { testContext, testTerraform, withoutTerraform } from '../../testing/terraform.ts';
import type { TestTerraform } from '../../testing/terraform.ts';
import { identifyProcess } from '../process/processes.ts';
import type { TerraformDriver } from './driver.ts';

/** Each runs a real Terraform a dozen times, and shares its processors with other tests. */
vi.setConfig({ testTimeout: 120_000 });

/** Two things, one of which is there while the workspace runs. What is made is written down in `$MADE`, a line each. */
const MAIN = `
variable "running" { default = "yes" }
variable "secret" {
  type      = string
  default   = "unguessable-hunter2"
  sensitive = true
}
resource "terraform_data" "home" {
  input = "home"
  provisioner "local-exec" { command = "echo home >> $MADE" }
}
resource "terraform_data" "vm" {
  count      = var.running == "yes" ? 1 : 0
  input      = var.secret
  depends_on = [terraform_data.home]
  provisioner "local-exec" { command = "echo vm >> $MADE" }
}
`;

const SECOND_FAILS = `
variable "secret" {
  default   = "unguessable-hunter2"
  sensitive = true
}
resource "terraform_data" "first" {
  input = nonsensitive(var.secret)
  provisioner "local-exec" { command = "echo first >> $MADE" }
}
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" {
    command = "echo told $\{nonsensitive(var.secret)}; exit 3"
  }
}
`;

async function build(
  driver: TerraformDriver,
  { job, folder, context = testContext() }: { job: BuildJob; folder: string; context?: DriverContext },
) {
  const plan = await driver.plan({ job, source: async () => folder }, context);
  return { planned: plan.resources, ...(await plan.apply([], context)) };
}

const base64 = (state: Uint8Array) => Buffer.from(state).toString('base64');

async function failure(work: Promise<unknown>): Promise<DriverError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DriverError) return error;
  throw new Error(`It did not fail as expected: ${String(error)}`);
}

describe.skipIf(withoutTerraform !== '')(`Terraform${withoutTerraform}`, async () => {
  const all: TestTerraform[] = [];
  afterAll(async () => await Promise.all(all.map((one) => one.remove())));

  /** A host of its own, with the file in which templates write down what they make. */
  async function host(options: Parameters<typeof testTerraform>[0] = {}) {
    const base = await mkdtemp(join(tmpdir(), 'berth-terraform-'));
    const madeFile = join(base, 'made');
    const terraform = await testTerraform({ ...options, base, environment: { ...options.environment, MADE: madeFile } });
    all.push(terraform);
    const made = async () => (existsSync(madeFile) ? (await readFile(madeFile, 'utf8')).trim().split('\n') : []);
    return { ...terraform, made, madeFile, base };
  }

  it('makes what a template says, stops, starts again and takes all of it away', async () => {
    const { driver, template, made } = await host();
    const job = buildJob({ provisioner: 'terraform' });
    const values = (running: string) => [{ name: 'running', value: running }];
    const first = await build(driver, { job, folder: await template({ 'main.tf': MAIN }) });
    expect(first.planned.map(({ name, type }) => `${type} ${name}`)).toEqual(['terraform_data home', 'terraform_data vm']);
    expect(first.resources).toEqual(first.planned);
    expect(await made()).toEqual(['home', 'vm']);
    expect(new Set(first.timings.map(({ stage }) => stage))).toEqual(new Set(['init', 'graph', 'apply']));
    expect(first.timings).toContainEqual(
      expect.objectContaining({ stage: 'apply', source: 'terraform', action: 'create', resource: 'terraform_data.vm[0]' }),
    );

    const stop = { ...job, transition: 'stop' as const, variable_values: values('no'), state: base64(first.state) };
    const second = await build(driver, { job: stop, folder: await template({ 'main.tf': MAIN }) });
    expect(second.resources?.map(({ name }) => name)).toEqual(['home']);

    const third = await build(driver, { job: { ...job, state: base64(second.state) }, folder: await template({ 'main.tf': MAIN }) });
    expect(third.resources).toHaveLength(2);
    expect(await made()).toEqual(['home', 'vm', 'vm']);

    const away = { ...job, transition: 'delete' as const, state: base64(third.state) };
    const fourth = await build(driver, { job: away, folder: await template({ 'main.tf': MAIN }) });
    expect(fourth).toMatchObject({ planned: [], state: new Uint8Array() });
  });

  it('deletes what was never made at once, without asking for the template', async () => {
    const { driver } = await host();
    const job = buildJob({ provisioner: 'terraform', transition: 'delete' });
    const plan = await driver.plan({ job, source: () => Promise.reject(new Error('asked')) }, testContext());
    expect(plan.resources).toEqual([]);
    expect(await plan.apply([], testContext())).toEqual({ state: new Uint8Array(), timings: [] });
  });

  it('keeps the state of a build that fails half-way, and says where and why without telling a secret', async () => {
    const { driver, template, made } = await host();
    const context = testContext();
    const job = buildJob({ provisioner: 'terraform' });
    const error = await failure(build(driver, { job, folder: await template({ 'main.tf': SECOND_FAILS }), context }));
    expect(error.message).toContain('main.tf line 12: local-exec provisioner error');
    const text = context.lines.map(([level, line]) => `${level} ${line}`).join('\n');
    expect(text).toMatch(
      /error Error: local-exec provisioner error\n {2}with terraform_data.second,\n {2}on main.tf line 12, in resource "terraform_data" "second":\n {2}12:/,
    );
    expect(text).toContain('told [hidden]');
    expect(`${text}${error.message}`).not.toContain('hunter2');

    const state = JSON.parse(Buffer.from(error.state ?? []).toString()) as { resources: { name: string }[] };
    expect(state.resources.map(({ name }) => name).toSorted()).toEqual(['first', 'second']);
    const away = { ...job, transition: 'delete' as const, state: base64(error.state ?? new Uint8Array()) };
    const gone = await build(driver, { job: away, folder: await template({ 'main.tf': SECOND_FAILS }) });
    expect(gone.state).toHaveLength(0);
    expect(await made()).toEqual(['first']);
  });

  it('refuses a template that cannot be planned with file and line, and has then made nothing', async () => {
    const { driver, template } = await host();
    const folder = await template({ 'main.tf': 'resource "terraform_data" "x" {\n  input = var.nobody\n}\n' });
    const error = await failure(build(driver, { job: buildJob({ provisioner: 'terraform' }), folder }));
    expect(error.message).toContain('main.tf line 2: Reference to undeclared input variable');
    expect(error.state).toBeUndefined();
  });

  it('does not blame a warning on stderr for a failure, and shows no frames', async () => {
    const { driver, template } = await host({ environment: { TF_CLI_CONFIG_FILE: '/nonexistent/terraform.rc' } });
    const folder = await template({
      'main.tf': 'resource "terraform_data" "x" {\n  provisioner "local-exec" { command = "exit 3" }\n}\n',
    });
    const context = testContext();
    const error = await failure(build(driver, { job: buildJob({ provisioner: 'terraform' }), folder, context }));
    expect(error.message).toMatch(/^\w+ apply failed: main\.tf line 2: local-exec provisioner error/);
    const text = (level: string) => context.lines.filter(([own]) => own === level).map(([, line]) => line);
    expect(text('warn').join('\n')).toContain('The CLI configuration file at "/nonexistent/terraform.rc" does not exist.');
    expect(text('error')).toEqual([expect.stringContaining('local-exec provisioner error')]);
    expect(context.lines.map(([, line]) => line).join('\n')).not.toMatch(/[╷│╵]/);
  });

  it('is told which provider is missing when it cannot be had', async () => {
    const { driver, template } = await host();
    const folder = await template({ 'main.tf': 'resource "nowhere_thing" "x" {}\n' });
    const context = testContext();
    const error = await failure(build(driver, { job: buildJob({ provisioner: 'terraform' }), folder, context }));
    expect(error.message).toMatch(/init failed: Failed to query available provider packages: [\s\S]*nowhere/);
    expect(context.stages).toEqual(['init']);
  });

  /** Runs until the template has written down that it is at work, then stops it. */
  async function interrupted(command: string, options: { interruptGraceMs?: number } = {}) {
    const { driver, template, made, again, dataDir } = await host(options);
    const main = `
      resource "terraform_data" "first" { input = 1 }
      resource "terraform_data" "slow" {
        depends_on = [terraform_data.first]
        provisioner "local-exec" { command = ${JSON.stringify(command)} }
      }`;
    const stop = new AbortController();
    const job = buildJob({ provisioner: 'terraform' });
    const failed = failure(build(driver, { job, folder: await template({ 'main.tf': main }), context: testContext(stop.signal) }));
    await vi.waitFor(async () => expect(await made()).toHaveLength(1), { timeout: 60_000, interval: 50 });
    const [pid] = await made();
    stop.abort(new Error('cancelled'));
    return { error: await failed, pid: Number(pid), again, dataDir };
  }

  const lives = async (pid: number) => (await identifyProcess(pid)) !== undefined;

  it('asked to stop while it makes something, interrupts it, leaves no process and knows what was made', async () => {
    const { error, pid, dataDir } = await interrupted('echo $$ >> $MADE; sleep 600');
    expect(error.message).toContain('interrupted');
    expect(await lives(pid)).toBe(false);
    const state = JSON.parse(Buffer.from(error.state ?? []).toString()) as { resources: { name: string }[] };
    expect(state.resources.map(({ name }) => name)).toContain('first');
    expect(await readdir(join(dataDir, 'running'))).toEqual([]);
  });

  it('kills what does not heed an interrupt in time, and knows what was made until then', async () => {
    const { error, pid } = await interrupted('trap "" INT TERM; echo $$ >> $MADE; while :; do sleep 1; done', { interruptGraceMs: 300 });
    expect(await lives(pid)).toBe(false);
    const state = JSON.parse(Buffer.from(error.state ?? []).toString()) as { resources: { name: string }[] };
    expect(state.resources.map(({ name }) => name)).toContain('first');
  });

  it('goes on from what was really made when its daemon was killed in the midst of a build', async () => {
    const { again, template, made, madeFile, base } = await host();
    const main = (end: string) => `
      resource "terraform_data" "first" {
        provisioner "local-exec" { command = "echo first >> $MADE" }
      }
      resource "terraform_data" "slow" {
        depends_on = [terraform_data.first]
        provisioner "local-exec" { command = "echo $$ >> $MADE; ${end}" }
      }`;
    const job = buildJob({ provisioner: 'terraform' });
    const folder = await template({ 'main.tf': main('sleep 600') });
    const script = `
      const { testTerraform, testContext } = await import(${JSON.stringify(join(import.meta.dirname, '../../testing/terraform.ts'))});
      const { driver } = await testTerraform({ base: ${JSON.stringify(base)}, environment: { MADE: ${JSON.stringify(madeFile)} } });
      const plan = await driver.plan({ job: ${JSON.stringify(job)}, source: async () => ${JSON.stringify(folder)} }, testContext());
      await plan.apply([], testContext());`;
    const daemon = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script], {
      stdio: 'inherit',
    });
    await vi.waitFor(async () => expect(await made()).toHaveLength(2), { timeout: 60_000, interval: 50 });
    daemon.kill('SIGKILL');
    await once(daemon, 'exit');
    const pid = Number((await made())[1]);
    expect(await lives(pid)).toBe(true);

    const next = again();
    await next.tidy();
    expect(await lives(pid)).toBe(false);
    const context = testContext();
    const { resources, state } = await build(next, { job, folder: await template({ 'main.tf': main('true') }), context });
    expect(context.lines).toContainEqual(['warn', expect.stringContaining('going on from')]);
    expect(resources).toHaveLength(2);
    expect((await made()).filter((line) => line === 'first')).toHaveLength(1);

    // What the server has heard of is what counts from then on.
    const quiet = testContext();
    await build(next, { job: { ...job, state: base64(state) }, folder: await template({ 'main.tf': main('true') }), context: quiet });
    expect(quiet.lines.filter(([, line]) => line.includes('going on from'))).toEqual([]);
  });

  it('keeps what is the daemon’s own from what a template runs', async () => {
    const environment = { BERTH_PROVISIONER_KEY: 'daemon-key', CODER_SESSION: 'x', PGPASSWORD: 'x', TF_LOG: 'trace', CLOUD_REGION: 'eu' };
    const { driver, template, made } = await host({ environment });
    const main = `resource "terraform_data" "x" {
      provisioner "local-exec" { command = "awk 'BEGIN { for (name in ENVIRON) print name }' >> $MADE" }
    }`;
    await build(driver, { job: buildJob({ provisioner: 'terraform' }), folder: await template({ 'main.tf': main }) });
    const names = await made();
    expect(names.filter((name) => /BERTH|CODER_SESSION|^PG|^NODE_|^npm_|^TF_LOG/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['PATH', 'CLOUD_REGION', 'CODER_WORKSPACE_ID', 'CODER_AGENT_SCRIPT_linux_amd64']));
  });

  it('gives variables of every type their values, and leaves the defaults alone', async () => {
    const { driver, template, made } = await host();
    const main = `
      variable "text" { type = string }
      variable "untyped" {}
      variable "many" { type = list(string) }
      variable "shape" { type = object({ cpus = number }) }
      variable "nothing" { default = null }
      variable "kept" { default = { a = [1] } }
      resource "terraform_data" "x" {
        provisioner "local-exec" {
          command     = "printf '%s' \\"$ALL\\" >> $MADE"
          environment = { ALL = jsonencode([var.text, var.untyped, var.many, var.shape, var.nothing, var.kept]) }
        }
      }`;
    const given = { text: '${path.root} "x"', untyped: 'plain', many: '["a","b"]', shape: '{"cpus":2}', nothing: '', kept: '{"a":[1]}' };
    const variable_values = Object.entries(given).map(([name, value]) => ({ name, value }));
    const job = buildJob({ provisioner: 'terraform', variable_values });
    await build(driver, { job, folder: await template({ 'main.tf': main, 'terraform.tfvars': 'text = "of the file"\n' }) });
    expect(JSON.parse((await made()).join(''))).toEqual(['${path.root} "x"', 'plain', ['a', 'b'], { cpus: 2 }, null, { a: [1] }]);
    const wrong = { ...job, variable_values: [{ name: 'many', value: 'a, b' }] };
    const error = await failure(build(driver, { job: wrong, folder: await template({ 'main.tf': main }) }));
    expect(error.message).toContain('The variable many is a list(string): its value must be JSON');
  });

  it('looks after the state itself, whatever backend a template names and whatever state lies in its archive', async () => {
    const { driver, template, made } = await host();
    const main = `terraform {\n  backend "s3" {\n    bucket = "b"\n    key = "k"\n  }\n}\n${MAIN}`;
    const files = {
      'main.tf': main,
      'terraform.tfstate': '{"version": 4, "serial": 9, "lineage": "other", "resources": []}',
      '.terraform/junk': '',
    };
    const { state } = await build(driver, { job: buildJob({ provisioner: 'terraform' }), folder: await template(files) });
    expect(JSON.parse(Buffer.from(state).toString())).not.toMatchObject({ lineage: 'other' });
    expect(await made()).toEqual(['home', 'vm']);
  });

  it('tells more to whoever asks for it', async () => {
    const { driver, template } = await host();
    const context = testContext();
    await build(driver, {
      job: buildJob({ provisioner: 'terraform', log_level: 'debug' }),
      folder: await template({ 'main.tf': MAIN }),
      context,
    });
    const debug = context.lines.filter(([level]) => level === 'debug').map(([, line]) => line);
    expect(debug.length).toBeGreaterThan(20);
    expect(debug.join('\n')).not.toContain('hunter2');
    expect(context.lines.filter(([level]) => level === 'error')).toEqual([]);
  });

  it('asks for the variables that an import lacks before it plans anything', async () => {
    const { driver, template } = await host();
    const folder = await template({
      'main.tf': 'variable "needed" {}\nresource "terraform_data" "x" {\n  input = var.needed\n}\n',
      'README.md': '# Hello\n',
    });
    const context = testContext();
    const lacking = await driver.parse({ directory: folder, variableValues: [] }, context);
    expect(lacking).toMatchObject({ readme: '# Hello\n', startResources: [], variables: [{ name: 'needed', required: true, value: '' }] });
    expect(context.lines).toContainEqual(['warn', 'without a value: needed']);
    const whole = await driver.parse({ directory: folder, variableValues: [{ name: 'needed', value: 'x' }] }, testContext());
    expect(whole.startResources).toEqual([expect.objectContaining({ name: 'x', type: 'terraform_data' })]);
  });

  it('names the variables of a template whose plan fails, so that they can be given other values', async () => {
    const { driver, template } = await host();
    const folder = await template({
      'main.tf':
        'variable "size" {\n  default = 1\n  validation {\n    condition     = var.size > 1\n    error_message = "Too small."\n  }\n}\n',
    });
    const error: unknown = await driver.parse({ directory: folder, variableValues: [] }, testContext()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DriverError);
    expect(error).toMatchObject({ message: expect.stringContaining('Too small.'), variables: [{ name: 'size', default_value: '1' }] });
  });
});
