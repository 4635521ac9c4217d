import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { DriverContext } from '../../driver.ts';
import { buildJob } from '../../testing/jobs.ts';
import { importTemplate } from './import-template.ts';
import type { ResourceKind } from './import-template.ts';
import { readForBuild } from './read-for-build.ts';

const base = await mkdtemp(join(tmpdir(), 'berth-read-'));
afterAll(() => rm(base, { recursive: true, force: true }));
await writeFile(
  join(base, 'berth.yaml'),
  `version: 1
variables:
  - { name: zone, default: near }
parameters:
  - { name: cpus, type: number, default: 2, mutable: true, validation: { min: 1, max: 8, monotonic: increasing } }
  - { name: size, default: small, options: [{ name: Small, value: small }, { name: Large, value: large }] }
  - { name: flavour, default: mild, condition: { parameter: size, equals: large }, validation: { regex: "^[a-z]+$" } }
  - { name: packages, type: list(string), default: [git] }
  - { name: reset, type: bool, default: false, mutable: true, ephemeral: true }
external_auth:
  - { id: code-host }
  - { id: tracker, optional: true }
tags: { zone: "\${{ variables.zone }}", size: "\${{ parameters.size }}" }
resources:
  - { name: dev, type: process, agent: { env: { CPUS: "\${{ parameters.cpus }}" } } }
`,
);

const PROCESSES: ResourceKind = { type: 'process', stopResources: () => [], findFaults: () => [] };
const context: DriverContext = { log: () => undefined, signal: new AbortController().signal, inStage: (_, work) => work(context) };

async function build(values: Record<string, string>) {
  const given = Object.entries(values).map(([name, value]) => ({ name, value }));
  return await readForBuild({ job: buildJob({ rich_parameter_values: given }), source: () => Promise.resolve(base) }, PROCESSES, context);
}

it('fills the values of a build in, and the defaults of what it does not name', async () => {
  const { parameters, resources } = await build({ cpus: '4', reset: 'true' });
  expect(parameters).toEqual({
    BERTH_PARAM_CPUS: '4',
    BERTH_PARAM_SIZE: 'small',
    BERTH_PARAM_FLAVOUR: 'mild',
    BERTH_PARAM_PACKAGES: '["git"]',
    BERTH_PARAM_RESET: 'true',
  });
  expect(resources[0]?.agents[0]?.environment).toEqual({ CPUS: '4' });
});

it.each<[string, Record<string, string>, string]>([
  ['over the maximum', { cpus: '9' }, 'berth.yaml:5: parameters[0]: the value of cpus breaks the rule max: Must be between 1 and 8.'],
  ['of another type', { cpus: 'many' }, 'breaks the rule type: Must be a whole number.'],
  [
    'that is no option',
    { size: 'huge' },
    'berth.yaml:6: parameters[1]: the value of size breaks the rule option: Must be one of: small, large.',
  ],
  ['that does not match', { size: 'large', flavour: 'HOT' }, 'berth.yaml:7: parameters[2]: the value of flavour breaks the rule regex'],
  ['that is no list', { packages: 'git' }, 'the value of packages breaks the rule type: Must be a JSON list of texts'],
])('refuses a value %s, by the rules of the form and the server', async (_, values, message) => {
  await expect(build(values)).rejects.toThrow(message);
});

it('has no eye for a value that nobody was asked for', async () => {
  expect((await build({ size: 'small', flavour: 'HOT' })).parameters['BERTH_PARAM_FLAVOUR']).toBe('mild');
});

it('refuses a template that is for another driver', async () => {
  const containers: ResourceKind = { ...PROCESSES, type: 'container' };
  await expect(importTemplate({ directory: base, variableValues: [] }, containers, context)).rejects.toThrow(
    'berth.yaml:15: resources[0].type: is process, but this template is for container workspaces',
  );
});

it('says at the import which accounts and which provisioners a workspace needs', async () => {
  const parsed = await importTemplate({ directory: base, variableValues: [{ name: 'zone', value: 'far' }] }, PROCESSES, context);
  expect(parsed.externalAuthProviders).toEqual([
    { id: 'code-host', optional: false },
    { id: 'tracker', optional: true },
  ]);
  expect(parsed.workspaceTags).toEqual({ zone: 'far', size: 'small' });
});
