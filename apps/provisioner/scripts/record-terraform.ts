import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commonEnvironment, terraformEnvironment } from '../src/drivers/terraform/environment.ts';
import type { ProviderTransition } from '../src/drivers/terraform/environment.ts';
import { MIRROR } from '../src/testing/terraform.ts';

/** Writes down what a real Terraform says of the template of the tests, for machines that have none. */
const FIXTURES = join(import.meta.dirname, '../src/testing/fixtures/terraform');
const run = promisify(execFile);
const base = await mkdtemp(join(tmpdir(), 'berth-record-'));
const cwd = join(base, 'template');
await cp(join(FIXTURES, 'template'), cwd, { recursive: true });
await writeFile(
  join(base, 'terraform.rc'),
  `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(MIRROR)}\n  }\n}\n`,
);

const parameters = [{ name: 'project', value: 'example' }];

async function terraform(transition: ProviderTransition, ...args: string[]): Promise<string> {
  const env = {
    ...terraformEnvironment(process.env),
    ...commonEnvironment({ accessUrl: 'https://berth.example.com', transition, parameters }),
    TF_CLI_CONFIG_FILE: join(base, 'terraform.rc'),
    TF_VAR_secret: 'hunter2',
  };
  return (await run('terraform', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

async function record(name: string, text: string): Promise<void> {
  await writeFile(join(FIXTURES, 'recorded', name), text);
}

/** Only what is read. */
function shown(json: string): string {
  const { format_version, terraform_version, planned_values, prior_state, values } = JSON.parse(json, (key, value: unknown) =>
    key === 'init_script' ? '#!/bin/sh' : value,
  ) as Record<string, unknown>;
  return `${JSON.stringify({ format_version, terraform_version, planned_values, prior_state, values }, null, 2)}\n`;
}

await terraform('start', 'init', '-input=false');
for (const transition of ['start', 'stop'] as const) {
  const lines = await terraform(transition, 'plan', '-json', '-input=false', `-out=${transition}.tfplan`);
  await record(`${transition}-plan.json`, shown(await terraform(transition, 'show', '-json', `${transition}.tfplan`)));
  await record(`${transition}-graph.dot`, await terraform(transition, 'graph', '-type=plan'));
  if (transition === 'start') await record('start-plan.jsonl', lines);
}
await record('start-apply.jsonl', await terraform('start', 'apply', '-json', '-input=false', 'start.tfplan'));
await record('start-state.json', shown(await terraform('start', 'show', '-json')));
await rm(base, { recursive: true, force: true });
