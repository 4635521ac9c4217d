import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ERROR_TABLE } from '@berth/api/server';
import { afterAll, expect, test } from 'vitest';

import { EXIT, EXIT_MEANINGS, exitOf, kindOfStatus } from '../frame/exit-codes.ts';
import { createTestCli } from '../testing/index.ts';

const cli = await createTestCli();
const { rows } = cli;
const folder = await mkdtemp(path.join(tmpdir(), 'berth-exit-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { id: organization } = await cli.prisma.organization.findFirstOrThrow({ where: { isDefault: true }, select: { id: true } });
const admin = await rows.user({ siteRoles: ['owner'], memberOf: [organization] });
const berth = await cli.as(admin.id);

test('each kind of error has its exit code', () => {
  const field = [{ field: 'name', detail: 'is taken' }];
  const codes = {
    invalid: 2,
    too_large: 2,
    unauthenticated: 3,
    not_found: 4,
    forbidden: 5,
    conflict: 6,
    not_ready: 6,
    has_dependents: 6,
    rate_limited: 7,
    unavailable: 7,
    network: 7,
    internal: 1,
  } as const;
  for (const [kind, code] of Object.entries(codes)) {
    expect(exitOf({ kind: kind as keyof typeof codes, validations: field }), kind).toBe(code);
  }
  expect(exitOf({ kind: 'invalid', validations: [] }), 'invalid without a field is about a state').toBe(6);
});

test('the status of an HTTP answer means the same kind as on the server', () => {
  for (const [kind, { status }] of Object.entries(ERROR_TABLE)) expect(kindOfStatus(status)).toBe(kind);
  expect(kindOfStatus(500)).toBe('internal');
  expect(kindOfStatus(418)).toBe('internal');
});

test('docs/cli.md lists every exit code', async () => {
  const document = await readFile(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');
  const section = document.split('## Exit codes')[1]?.split('\n## ')[0] ?? '';
  const listed = [...section.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [Number(code), meaning]);
  expect(listed).toEqual(Object.entries(EXIT_MEANINGS).map(([name, meaning]) => [EXIT[name as keyof typeof EXIT], meaning]));
});

test('what is in the way is exit code 6: a template in use, and no build to cancel', async () => {
  const { workspace, template } = await rows.workspace({ owner: admin });
  expect(await berth('templates', 'delete', template.name, '--yes')).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('The template still has '),
  });
  expect(await berth('cancel', workspace.name)).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('has no build in progress to cancel'),
  });
});

test('what is not allowed is exit code 5: renames on this server, and one’s own roles', async () => {
  const { workspace } = await rows.workspace({ owner: admin });
  expect(await berth('rename', workspace.name, 'web')).toMatchObject({ code: 5, stderr: expect.stringContaining('cannot be renamed') });
  expect(await berth('users', 'roles', 'me', '--remove', 'owner')).toMatchObject({ code: 5 });
  expect(await berth('users', 'suspend', admin.username)).toMatchObject({ code: 5 });
});

test('a path that is wrong is exit code 2 and one sentence, whatever the command does with it', async () => {
  const missing = path.join(folder, 'missing');
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  for (const words of [
    ['templates', 'push', missing],
    ['templates', 'push', file],
    ['templates', 'test', missing],
    ['templates', 'init', path.join(file, 'inner'), '--starter', 'shell'],
    ['templates', 'push', folder, '--template', 'garden', '--variable-file', missing],
    ['templates', 'push', folder, '--template', 'garden', '--variable-file', folder],
    ['audit', 'export', '--file', path.join(missing, 'audit.ndjson')],
    ['config-ssh', '--yes', '--ssh-config-file', folder],
  ]) {
    const { code, stderr } = await berth(...words);
    expect({ code, stderr }, words.join(' ')).toEqual({ code: 2, stderr: expect.stringMatching(/error: \/.*: .*\.\n/) });
    expect(stderr, words.join(' ')).not.toMatch(/E[A-Z]{4,}/);
  }
});

test('a push without a variable that the template needs is exit code 2, and says how to set it', async () => {
  await berth('templates', 'init', path.join(folder, 'garden'), '--starter', 'shell');
  const [pushed] = await Promise.all([
    berth('templates', 'push', path.join(folder, 'garden'), '--yes'),
    cli.provision(organization, { error: 'The variable "region" needs a value.', errorCode: 'REQUIRED_TEMPLATE_VARIABLES' }),
  ]);
  expect(pushed).toMatchObject({ code: 2, stderr: expect.stringContaining('--variable <name=value>') });
});

test('an error of the server names the option or the argument, not the field of the API', async () => {
  const { workspace, template, owner } = await rows.workspace();
  const member = await cli.as(owner.id);
  for (const [words, line] of [
    [['create', 'dev', '--template', template.name, '--stop-after', '40d'], '--stop-after: Must be at most 30 days'],
    [['schedule', 'stop', workspace.name, '10s'], '<after>: Must be at least one minute.'],
    [['tokens', 'create', '--lifetime', '5300w'], '--lifetime must be at most 100 years'],
    [['tokens', 'create', '--permission', 'workspace:fly'], '--permission'],
    [['groups', 'create', 'not a name', '--organization', 'default'], '<name>'],
  ] as const) {
    const { code, stderr } = await (words[0] === 'groups' ? berth : member)(...words);
    expect(code, words.join(' ')).toBe(2);
    expect(stderr, words.join(' ')).toMatch(new RegExp(`^(error: |  )${line}`, 'm'));
    expect(stderr, words.join(' ')).not.toMatch(/[a-z]_[a-z]/);
  }
});

test('what does not exist is named', async () => {
  for (const [words, names] of [
    [['users', 'show', 'nobody-here'], '"nobody-here" does not exist'],
    [['users', 'suspend', 'nobody-here'], '"nobody-here" does not exist'],
    [['organizations', 'show', 'nowhere'], '"nowhere" does not exist'],
    [['templates', 'list', '--organization', 'nowhere'], '"--organization nowhere" does not exist'],
    [
      ['organizations', 'members', 'default', '--add', 'nobody-here'],
      'does not exist, or you may not see it: "default", "--add nobody-here".',
    ],
  ] as const) {
    const { code, stderr } = await berth(...words);
    expect({ code, stderr }, words.join(' ')).toEqual({ code: 4, stderr: expect.stringContaining(names) });
  }
});
