import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DriverError } from '../../driver.ts';
import { toRichParameters, toVariables } from './parameters.ts';
import { parseTemplate, readTemplate } from './read-template.ts';

const AGENT = `
resources:
  - name: dev
    type: process
    agent:
      name: main
`;
const minimal = `version: 1${AGENT}`;

function refusal(text: string): string {
  try {
    parseTemplate(text);
  } catch (error) {
    if (error instanceof DriverError) return error.message;
    throw error;
  }
  throw new Error('The template was taken.');
}

describe('a good berth.yaml', () => {
  it('lets a list take several of its options', () => {
    const tools = '{ name: a, type: list(string), default: [b], options: [{ name: A, value: a }, { name: B, value: b }] }';
    expect(toRichParameters(parseTemplate(`version: 1\nparameters: [${tools}]${AGENT}`).yaml)).toMatchObject([{ default_value: '["b"]' }]);
  });

  it('needs no more than a version and a resource', () => {
    const { yaml } = parseTemplate(minimal);
    expect(yaml.resources[0]).toMatchObject({ name: 'dev', persistent_home: true, agent: { name: 'main', directory: '', apps: [] } });
  });

  it('gives parameters under their wire names, with the kinds of text a person may write', () => {
    const { yaml } = parseTemplate(`version: 1
parameters:
  - name: cpus
    display_name: CPUs
    description: "How **many** [cores](https://example.com)."
    type: number
    default: 2
    mutable: true
    validation: { min: 1, max: 8, monotonic: increasing, error: "{value} is not in {min}..{max}" }
  - name: region
    options:
      - { name: Near, value: near, icon: /icon/near.svg }
      - { name: Far, value: far }
    default: near
  - name: tags
    type: list(string)
    default: [a, b]
  - name: verbose
    type: bool
    default: false
    mutable: true
    ephemeral: true
    condition: { parameter: cpus, equals: [1, 2] }
    order: 9
  - name: must
${AGENT}`);
    expect(toRichParameters(yaml)).toEqual([
      {
        name: 'cpus',
        display_name: 'CPUs',
        description: 'How **many** [cores](https://example.com).',
        description_plaintext: 'How many cores.',
        type: 'number',
        default_value: '2',
        required: false,
        mutable: true,
        ephemeral: false,
        icon: '',
        options: [],
        validation_error: '{value} is not in {min}..{max}',
        validation_regex: '',
        validation_min: 1,
        validation_max: 8,
        validation_monotonic: 'increasing',
        display_order: 0,
      },
      expect.objectContaining({
        name: 'region',
        options: [
          { name: 'Near', value: 'near', description: '', icon: '/icon/near.svg' },
          { name: 'Far', value: 'far', description: '', icon: '' },
        ],
      }),
      expect.objectContaining({ name: 'tags', default_value: '["a","b"]' }),
      expect.objectContaining({
        name: 'verbose',
        default_value: 'false',
        display_order: 9,
        condition: { parameter: 'cpus', equals: ['1', '2'] },
      }),
      expect.objectContaining({ name: 'must', required: true, default_value: '', validation_min: null, validation_max: null }),
    ]);
  });

  it('prefers the given value of a variable to its default', () => {
    const { yaml } = parseTemplate(`version: 1
variables:
  - { name: token, sensitive: true }
  - { name: size, type: number, default: 3 }
${AGENT}`);
    expect(toVariables(yaml, [{ name: 'size', value: '5' }])).toEqual([
      { name: 'token', description: '', type: 'string', value: '', default_value: '', required: true, sensitive: true },
      { name: 'size', description: '', type: 'number', value: '5', default_value: '3', required: false, sensitive: false },
    ]);
  });
});

/** Each row: what is wrong, the text, and the line of error that names place and rule. */
const bad: [string, string, string][] = [
  ['broken YAML', 'version: 1\nresources: [', 'berth.yaml:2: '],
  ['a list instead of a mapping', '- version: 1', 'berth.yaml:1: the file: must be a mapping'],
  ['an empty file', '', 'berth.yaml:1: the file: must be a mapping'],
  ['another version', `version: 2${AGENT}`, 'berth.yaml:1: version: must be one of 1'],
  ['no version', AGENT, 'berth.yaml:1: version: is missing'],
  ['no resources', 'version: 1', 'berth.yaml:1: resources: is missing'],
  ['an unknown key', `version: 1\nresorces: []${AGENT}`, 'berth.yaml:2: resorces: is not a known key here'],
  [
    'an unknown key further down',
    minimal.replace('name: main', 'nmae: main'),
    'berth.yaml:6: resources[0].agent.nmae: is not a known key here',
  ],
  ['a key given twice', `version: 1\nversion: 1${AGENT}`, 'berth.yaml:2: Map keys must be unique'],
  ['an unknown type', minimal.replace('type: process', 'type: vm'), 'berth.yaml:4: resources[0].type: must be one of process, container'],
  ['a name that cannot be a path', minimal.replace('name: dev', 'name: "a/b"'), 'berth.yaml:3: resources[0].name: must be letters'],
  ['a number where text belongs', minimal.replace('name: dev', 'name: 5'), 'berth.yaml:3: resources[0].name: must be a string'],
  [
    'a value in a script',
    `${minimal}      scripts:\n        - display_name: Go\n          run_on_start: true\n          script: echo \${{ parameters.name }}\n`,
    'berth.yaml:10: resources[0].agent.scripts[0].script: ${{ … }} cannot be used in a command: a value would become code. Use the environment, for instance "$BERTH_PARAM_NAME"',
  ],
  [
    'a value in a metadata script',
    `${minimal}      metadata:\n        - { key: a, script: "echo \${{ workspace.name }}" }\n`,
    'berth.yaml:8: resources[0].agent.metadata[0].script: ${{ … }} cannot be used in a command',
  ],
  [
    'a value in an app command',
    `${minimal}      apps:\n        - { slug: a, command: "vim \${{ owner.name }}" }\n`,
    'berth.yaml:8: resources[0].agent.apps[0].command: ${{ … }} cannot be used in a command',
  ],
  ['a value in a name', minimal.replace('name: dev', 'name: "${{ workspace.name }}"'), 'berth.yaml:3: resources[0].name: is fixed text'],
  [
    'a reference to nothing',
    `${minimal}      env:\n        A: b\n        PORT: \${{ parameters.port }}\n`,
    'berth.yaml:9: resources[0].agent.env.PORT: parameters.port does not exist',
  ],
  ['a reference of no form', `${minimal}      env: { A: "\${{ 1 + 1 }}" }\n`, 'resources[0].agent.env.A: ${{ 1 + 1 }} is not of the form'],
  ['an open reference', `${minimal}      env: { A: "\${{ workspace.id" }\n`, 'resources[0].agent.env.A: ${{ without its }}'],
  ["an environment name of the server's", `${minimal}      env: { BERTH_AGENT_TOKEN: x }\n`, 'must not start with BERTH_'],
  [
    'an environment name that is none',
    `${minimal}      env: { "A B": x }\n`,
    'resources[0].agent.env.A B: must be letters, digits and underscores',
  ],
  [
    'an app without anything to open',
    `${minimal}      apps:\n        - slug: web\n`,
    'berth.yaml:8: resources[0].agent.apps[0]: needs either a url or a command',
  ],
  [
    'a slug that is no path',
    `${minimal}      apps:\n        - { slug: "Web App", url: "http://localhost:1" }\n`,
    'apps[0].slug: must be lower-case',
  ],
  [
    'two apps of one slug',
    `${minimal}      apps:\n        - { slug: a, command: x }\n        - { slug: a, command: y }\n`,
    'berth.yaml:9: resources[0].agent.apps[1].slug: is the same as that of apps[0]',
  ],
  [
    'a script that never runs',
    `${minimal}      scripts:\n        - { display_name: x, script: x }\n`,
    'never runs: set run_on_start, run_on_stop or cron',
  ],
  [
    'a cron that is none',
    `${minimal}      scripts:\n        - { display_name: x, script: x, cron: "daily" }\n`,
    'scripts[0].cron: must be five fields',
  ],
  [
    'two agents of one name',
    `${minimal}  - name: other\n    type: process\n    agent: { name: main }\n`,
    'berth.yaml:9: resources[1].agent.name: the agent name main is taken',
  ],
  [
    'homes that contradict',
    `${minimal}  - name: other\n    type: process\n    persistent_home: false\n    agent: { name: b }\n`,
    'resources[1].persistent_home: must be the same',
  ],
];

const badParameters: [string, string, string][] = [
  ['a type that is none', '{ name: a, type: int }', 'parameters[0].type: must be one of string, number, bool, list(string)'],
  ['a default of another type', '{ name: a, type: number, default: many }', 'parameters[0].default: must be a number'],
  ['a bool that is neither', '{ name: a, type: bool, default: 1 }', 'parameters[0].default: must be true or false'],
  [
    'a default that is no option',
    '{ name: a, default: c, options: [{ name: A, value: a }] }',
    'parameters[0].default: must be the value of one of the options',
  ],
  [
    'an option of another type',
    '{ name: a, type: number, options: [{ name: A, value: a }] }',
    'parameters[0].options[0].value: must be a number',
  ],
  [
    'a default with an item that is no option',
    '{ name: a, type: list(string), default: [a, c], options: [{ name: A, value: a }, { name: B, value: b }] }',
    'parameters[0].default: must be the value of one of the options',
  ],
  ['two options of one value', '{ name: a, options: [{ name: A, value: a }, { name: B, value: a }] }', 'options[1].value: is the same'],
  [
    'a default that does not match',
    '{ name: a, default: "A!", validation: { regex: "^[a-z]+$" } }',
    'parameters[0].default: does not match validation.regex',
  ],
  ['a regex that is none', '{ name: a, validation: { regex: "[" } }', 'validation.regex: is not a regular expression'],
  [
    'a regex that could hang a server',
    '{ name: a, validation: { regex: "^(?=a)a$" } }',
    'validation.regex: is not a regular expression of RE2',
  ],
  ['a regex on a number', '{ name: a, type: number, default: 1, validation: { regex: "1" } }', 'validation.regex: is for strings only'],
  ['a minimum on a string', '{ name: a, validation: { min: 1 } }', 'validation.min: is for numbers only'],
  ['min over max', '{ name: a, type: number, validation: { min: 3, max: 1 } }', 'validation.min: is larger than max'],
  ['a default under the minimum', '{ name: a, type: number, default: 0, validation: { min: 1 } }', 'default: is less than validation.min'],
  [
    'a direction that is none',
    '{ name: a, type: number, default: 0, validation: { monotonic: up } }',
    'validation.monotonic: must be one of increasing, decreasing',
  ],
  ['required with a default', '{ name: a, default: b, required: true }', 'parameters[0].required: a required parameter has no default'],
  ['an optional number without default', '{ name: a, type: number, required: false }', 'a number that is not required needs a default'],
  ['ephemeral but fixed', '{ name: a, default: b, ephemeral: true }', 'parameters[0].ephemeral: needs mutable: true'],
  [
    'a condition on nothing',
    '{ name: a, default: b, condition: { parameter: z, equals: 1 } }',
    'condition.parameter: there is no parameter z',
  ],
  [
    'a condition on itself',
    '{ name: a, default: b, condition: { parameter: a, equals: b } }',
    'condition.parameter: the conditions go round in a circle',
  ],
  ['two of one name', '{ name: a-b }, { name: a_b }', 'parameters[1].name: is the same as that of parameters[0]'],
  [
    'a condition that is never met',
    '{ name: a, type: bool, default: true }, { name: b, default: x, condition: { parameter: a, equals: yes } }',
    'parameters[1].condition.equals: a can never be "yes"',
  ],
  [
    'a condition without a default',
    '{ name: a, default: x }, { name: b, condition: { parameter: a, equals: x } }',
    'that is not always asked for needs a default',
  ],
];

const CONTAINER = `version: 1
resources:
  - name: dev
    type: container
    image: debian:12
    agent: {}
`;

const badContainers: [string, string, string][] = [
  ['one without an image', CONTAINER.replace('    image: debian:12\n', ''), 'berth.yaml:3: resources[0].image: is missing'],
  [
    'the home of a process',
    `${CONTAINER}    persistent_home: true\n`,
    'berth.yaml:7: resources[0].persistent_home: is not a known key here',
  ],
  [
    'a process beside it',
    `${CONTAINER}  - name: other\n    type: process\n    agent: { name: b }\n`,
    'berth.yaml:8: resources[1].type: must be container like that of resources[0]: one template makes either processes or containers',
  ],
  [
    'no agent at all',
    CONTAINER.replace('    agent: {}\n', ''),
    'berth.yaml:2: resources: none of them has an agent, so nobody could reach the workspace',
  ],
  ['a folder of the host', `${CONTAINER}    volumes: [{ name: /etc, path: /mnt }]\n`, 'resources[0].volumes[0].name: must be letters'],
  ['a relative path', `${CONTAINER}    volumes: [{ name: a, path: home }]\n`, 'resources[0].volumes[0].path: must be an absolute path'],
  ['a path that climbs', `${CONTAINER}    volumes: [{ name: a, path: /a/../etc }]\n`, 'volumes[0].path: must be an absolute path'],
  ['a path of the kernel', `${CONTAINER}    volumes: [{ name: a, path: /proc/x }]\n`, 'volumes[0].path: must not be in /proc'],
  [
    'two volumes in one place',
    `${CONTAINER}    volumes: [{ name: a, path: /x }, { name: b, path: /x }]\n`,
    'volumes[1].path: is the same as that of volumes[0]',
  ],
  [
    'a volume that is kept here and not there',
    `${CONTAINER}    volumes: [{ name: a, path: /x }, { name: a, path: /y, persistent: false }]\n`,
    'volumes[1].persistent: must be the same wherever the volume a is used',
  ],
  ['an agent without a network', `${CONTAINER}    network: none\n`, 'berth.yaml:7: resources[0].network: must not be none'],
  ["another container's network", `${CONTAINER}    network: container:other\n`, 'resources[0].network: must be host, none or the name of'],
  ["another workspace's network", `${CONTAINER}    network: berth-other\n`, 'resources[0].network: must be host, none or the name of'],
  [
    'more volumes than the server takes',
    [0, 1, 2].reduce(
      (text, at) =>
        `${text}  - name: more-${at}\n    type: container\n    image: a\n    volumes:\n${Array.from({ length: 16 }, (_, index) => `      - { name: v${at}-${index}, path: /v${index} }\n`).join('')}`,
      CONTAINER,
    ),
    'berth.yaml:2: resources: have 48 volumes together, and may have 32',
  ],
  ['a command beside the agent', `${CONTAINER}    command: [sleep]\n`, 'resources[0].command: is for resources without an agent'],
  ['rights over the host', `${CONTAINER}    privileged: true\n`, 'resources[0].privileged: is not a known key here'],
  ['a host without an address', `${CONTAINER}    extra_hosts: [db]\n`, 'extra_hosts[0]: must be NAME:ADDRESS'],
];

const badTops: [string, string, string][] = [
  ['a tag of a workspace', 'tags: { zone: "${{ workspace.name }}" }', 'tags.zone: may use parameters and variables only'],
  ['a tag of nothing', 'tags: { zone: "${{ parameters.zone }}" }', 'tags.zone: parameters.zone does not exist'],
  ['a service named twice', 'external_auth: [{ id: git }, { id: git }]', 'external_auth[1].id: is the same as that of external_auth[0]'],
];

describe('a bad berth.yaml is refused with its line and the rule', () => {
  it.each(badContainers)('container: %s', (_, text, message) => {
    expect(refusal(text)).toContain(message);
  });

  it.each(badTops)('%s', (_, line, message) => {
    expect(refusal(`version: 1\n${line}${AGENT}`)).toContain(`berth.yaml:2: ${message}`);
  });

  it.each(bad)('%s', (_, text, message) => {
    expect(refusal(text)).toContain(message);
  });

  it.each(badParameters)('parameter: %s', (_, parameters, message) => {
    const refused = refusal(`version: 1\nparameters: [${parameters}]${AGENT}`);
    expect(refused).toContain(message);
    expect(refused).toMatch(/^berth\.yaml:2: /);
  });

  it('names every broken rule at once, in the order of the file', () => {
    const text = minimal.replace('name: main', 'directory: 5').replace('name: dev', 'name: "!"');
    expect(refusal(text).split('\n')).toEqual([
      expect.stringContaining('berth.yaml:3: resources[0].name'),
      'berth.yaml:6: resources[0].agent.directory: must be a string',
    ]);
  });

  it('names at most twenty, however long the file is wrong', () => {
    const text = `version: 1\nparameters:\n${'  - { nope: 1 }\n'.repeat(60)}${AGENT}`;
    expect(refusal(text).split('\n')).toHaveLength(21);
    expect(refusal(text)).toMatch(/and \d+ more$/);
  });

  it('does not blow up on a file of aliases', () => {
    const rows = Array.from({ length: 12 }, (_, index) => `a${index}: &a${index} [${(index === 0 ? 'x,' : `*a${index - 1},`).repeat(9)}]`);
    expect(refusal(`version: 1\n${rows.join('\n')}${AGENT}`)).toMatch(/alias/i);
  });

  it('a folder without the file says what belongs there', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'berth-template-'));
    await expect(readTemplate(directory)).rejects.toThrow('berth.yaml: the archive has no such file at its top.');
    await writeFile(join(directory, 'berth.yaml'), `${minimal}#${'x'.repeat(300_000)}`);
    await expect(readTemplate(directory)).rejects.toThrow('berth.yaml: may have 256 KiB at most.');
    await writeFile(join(directory, 'berth.yaml'), minimal);
    await writeFile(join(directory, 'README.md'), '# Hello');
    await expect(readTemplate(directory)).resolves.toMatchObject({ readme: '# Hello' });
    await rm(directory, { recursive: true });
  });
});
