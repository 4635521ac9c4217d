import { describe, expect, it } from 'vitest';
import { createTestCli, run } from '../testing/index.ts';

const cli = await createTestCli();
const { rows } = cli;
const admin = await rows.user({ siteRoles: ['owner'] });
const berth = await cli.as(admin.id);

describe('users', () => {
  it('are created with a password from standard input, shown, listed and found', async () => {
    const env = { BERTH_URL: cli.url, BERTH_SESSION_TOKEN: await cli.keyOf(admin.id) };
    const organization = await rows.organization();
    const words = ['users', 'create', '--username', 'grace', '--email', 'grace@example.com', '--name', 'Grace Hopper'];
    const made = await run([...words, '--password-stdin', '--organization', organization.name], { env, stdin: 'a-good-Passw0rd!\n' });
    expect(made).toMatchObject({ code: 0, stdout: 'Created the user grace.\n' });
    expect(
      (
        await run(['login', cli.url, '--email', 'grace@example.com', '--password-stdin'], {
          env: { BERTH_CONFIG_DIR: await cli.configFolder() },
          stdin: 'a-good-Passw0rd!',
        })
      ).code,
    ).toBe(0);
    expect((await berth('users', 'show', 'grace')).stdout).toContain(organization.name);
    expect((await berth('users', 'list', 'grace', '-o', 'json')).json()).toMatchObject([{ username: 'grace' }]);
    expect((await berth('users', 'list', 'grace', '-c', 'username,email')).stdout).toBe(
      'USER NAME  E-MAIL\ngrace      grace@example.com\n',
    );
    expect(await run([...words, '--password-stdin'], { env, stdin: 'a-good-Passw0rd!' })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('username is already taken'),
    });
    const weak = await run(['users', 'create', '--username', 'weak', '--email', 'weak@example.com', '--password-stdin'], {
      env,
      stdin: '1',
    });
    expect(weak).toMatchObject({ code: 2, stderr: expect.stringContaining('password') });
    expect((await run(['users', 'create', '--username', 'x', '--email', 'x@example.com'], { env })).stderr).toContain('--password-stdin');
  });

  it('are suspended, activated and deleted, with the name or --yes', async () => {
    const { username } = await rows.user();
    expect((await berth('users', 'suspend', username, '-o', 'json')).json()).toMatchObject({ status: 'suspended' });
    expect((await berth('users', 'activate', username)).stdout).toBe(`${username} is active.\n`);
    expect(await berth('users', 'delete', username)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect((await berth('users', 'delete', username, '--yes')).code).toBe(0);
    expect((await berth('users', 'show', username)).code).toBe(4);
  });

  it('get and lose roles', async () => {
    const { username } = await rows.user();
    expect((await berth('users', 'roles', username, '--add', 'auditor', '--add', 'user-admin')).stdout).toMatch(/auditor/);
    const less = await berth('users', 'roles', username, '--remove', 'user-admin', '-o', 'json');
    expect(less.json()).toMatchObject({ roles: [{ name: 'auditor' }] });
    expect((await berth('users', 'roles', username, '--add', 'captain')).code).not.toBe(0);
    expect((await berth('users', 'roles', username)).stdout).toContain('auditor');
  });

  it('are none of the business of those who may not manage them', async () => {
    const other = await rows.user();
    const mere = await cli.as((await rows.user()).id);
    expect([4, 5]).toContain((await mere('users', 'suspend', other.username)).code);
    expect([4, 5]).toContain((await mere('users', 'create', '--username', 'x', '--email', 'x@example.com', '--login-type', 'none')).code);
  });
});

describe('organizations', () => {
  it('are created, listed and shown, and their members changed', async () => {
    const ada = await rows.user();
    expect((await berth('organizations', 'create', 'crew', '--display-name', 'The crew')).code).toBe(0);
    expect((await berth('organizations', 'create', 'crew')).code).toBe(6);
    expect((await berth('orgs', 'list')).stdout).toContain('The crew');
    expect((await berth('organizations', 'show', 'crew', '-o', 'json')).json()).toMatchObject({ display_name: 'The crew' });
    expect((await berth('organizations', 'members', 'crew', '--add', ada.username)).stdout).toContain(ada.email);
    const left = await berth('organizations', 'members', 'crew', '--remove', ada.username, '-o', 'json');
    expect(left.json()).toMatchObject([{ username: admin.username }]);
    expect((await berth('organizations', 'members', 'nothing')).code).toBe(4);
    const mere = await cli.as(ada.id);
    expect((await mere('organizations', 'create', 'mine')).code).toBe(5);
    expect((await mere('organizations', 'show', 'crew')).code).toBe(4);
  });
});

describe('groups', () => {
  it('are created, edited, listed, shown and deleted', async () => {
    const organization = await rows.organization();
    const ada = await rows.user({ memberOf: [organization.id] });
    const place = ['--organization', organization.name];
    expect((await berth('groups', 'create', 'captains', ...place, '--quota', '20')).code).toBe(0);
    expect((await berth('groups', 'create', 'captains', ...place)).code).toBe(6);
    expect((await berth('groups', 'edit', 'captains', ...place, '--add', ada.username, '-o', 'json')).json()).toMatchObject({
      members: [{ username: ada.username }],
      quota_allowance: 20,
    });
    expect((await berth('groups', 'list', ...place, '--member', ada.username, '-c', 'name')).stdout).toContain('captains');
    expect((await berth('groups', 'show', 'captains', ...place)).stdout).toContain(ada.username);
    expect((await berth('groups', 'edit', 'captains', ...place)).code).toBe(2);
    expect((await berth('groups', 'edit', 'captains', ...place, '--add', 'nobody-here')).code).not.toBe(0);
    expect((await berth('groups', 'delete', 'captains', ...place)).code).toBe(2);
    expect((await berth('groups', 'delete', 'captains', ...place, '--yes')).code).toBe(0);
    expect((await berth('groups', 'show', 'captains', ...place)).code).toBe(4);
  });

  it('of one name in two organizations need --organization', async () => {
    const places = [await rows.organization(), await rows.organization()];
    for (const { id } of places) await rows.group({ organizationId: id, name: 'pilots' });
    const { code, stderr } = await berth('groups', 'show', 'pilots');
    expect(code).toBe(2);
    for (const { name } of places) expect(stderr).toContain(`--organization ${name}`);
  });
});

describe('completion', () => {
  it('knows commands, options and the names of the server, and says nothing that a shell would run', async () => {
    const made = await rows.workspace();
    await cli.prisma.template.update({ where: { id: made.template.id }, data: { displayName: '$(reboot)\u001b[2J' } });
    const env = { BERTH_URL: cli.url, BERTH_SESSION_TOKEN: await cli.keyOf(made.owner.id) };
    const complete = async (...words: string[]) => (await run(['__complete', '--', ...words], { env })).stdout;
    expect(await complete('cr')).toBe('create\tCreate a workspace\n');
    expect(await complete('users', 'cr')).toBe('create\tCreate a user\n');
    expect(await complete('create', '--templ')).toMatch(/^--template\t/);
    expect(await complete('list', '-o', 'y')).toBe('yaml\t\n');
    expect(await complete('start', made.workspace.name.slice(0, 4))).toBe(`${made.workspace.name}\trunning\n`);
    expect(await complete('start', `${made.owner.username}/`)).toBe(`${made.owner.username}/${made.workspace.name}\trunning\n`);
    expect(await complete('create', '--template', '')).toBe(`${made.template.name}\t$(reboot)\n`);
    expect(await complete('create', '--parameter-file', '')).toBe(':files\n');
    expect(await complete('nothing', '')).toBe('');
  });

  it('is silent where nobody is signed in, and where the server is gone', async () => {
    expect(await run(['__complete', '--', 'start', ''], { env: { BERTH_CONFIG_DIR: '/nonexistent' } })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const env = { BERTH_URL: 'http://127.0.0.1:59999', BERTH_SESSION_TOKEN: 'abcdefghij-0123456789012345678901' };
    expect(await run(['__complete', '--', 'start', ''], { env })).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});
