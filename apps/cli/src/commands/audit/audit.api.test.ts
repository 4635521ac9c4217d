import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestCli } from '../../testing/index.ts';
import type { Result } from '../../testing/index.ts';

/** More than one page of the server's. */
const GROUPS = 120;
const cli = await createTestCli();
const folder = await mkdtemp(path.join(tmpdir(), 'berth-audit-'));
let admin: (...argv: readonly string[]) => Promise<Result>;

beforeAll(async () => {
  const owner = await cli.rows.user({ siteRoles: ['owner'] });
  admin = await cli.as(owner.id);
  const { groups } = cli.callAsUser(owner.id);
  for (let number = 0; number < GROUPS; number += 1) {
    // One after the other, as a person does.
    await groups.create({
      organization: 'default',
      name: `crew-${number}`,
      display_name: number === 7 ? '=HYPERLINK("http://evil.example")' : '',
    });
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a list holds what the words say, and says when there is more', async () => {
  const result = await admin('audit', 'list', 'resource_type:group', 'action:create', '--limit', '5');
  expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('first 5') });
  expect(result.stdout).toContain(`crew-${GROUPS - 1}`);
  expect((await admin('audit', 'list', 'resource_target:crew-3', '-o', 'json')).json()).toMatchObject([{ resource_target: 'crew-3' }]);
  expect(await admin('audit', 'list', 'resource_type:licence')).toMatchObject({ code: 2 });
});

test('an export has every row once, also beyond one page', async () => {
  const { code, stdout } = await admin('audit', 'export', 'resource_type:group', 'action:create');
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => String(Reflect.get(Object(JSON.parse(line)), 'resource_target')));
  expect(code).toBe(0);
  expect(new Set(rows).size).toBe(GROUPS);
  expect(rows).toHaveLength(GROUPS);
});

test('security: a file of CSV runs no formula, is private, and is there only when it is whole', async () => {
  const file = path.join(folder, 'audit.csv');
  expect(await admin('audit', 'export', '--format', 'csv', '--file', file, 'resource_type:group')).toMatchObject({ code: 0 });
  const text = await readFile(file, 'utf8');
  expect(text.split('\r\n')[0]).toMatch(/^time,user,/);
  expect(text).not.toMatch(/(^|,)"?=/m);
  expect(await readdir(folder)).toEqual(['audit.csv']);
  const refused = await admin('audit', 'export', '--file', path.join(folder, 'none', 'audit.csv'));
  expect(refused.code).not.toBe(0);
});

test('who may read no audit log gets none, and is told so', async () => {
  const member = await cli.as((await cli.rows.user()).id);
  expect(await member('audit', 'export')).toMatchObject({ code: 5, stdout: '' });
  const recorded = await admin('audit', 'list', 'resource_type:audit_export', '--limit', '1', '-o', 'json');
  expect(recorded.json()).toMatchObject([{ status_code: 403 }]);
});

test('a search that means nothing is the caller’s to mend', async () => {
  expect(await admin('audit', 'export', 'colour:red')).toMatchObject({ code: 2, stderr: expect.stringContaining('colour') });
});
