import { describe, expect, it } from 'vitest';
import { createTestCli } from '../testing/index.ts';
import { CTRL_C, DOWN, ENTER, INTERRUPT, runAtTerminal } from '../testing/terminal.ts';

const cli = await createTestCli();
const { rows } = cli;

async function withTemplate(overrides: Parameters<typeof rows.template>[0] = {}) {
  const made = await rows.template(overrides);
  const user = await rows.user({ memberOf: [made.organization.id] });
  return { ...made, user, env: { BERTH_URL: cli.url, BERTH_SESSION_TOKEN: await cli.keyOf(user.id), BROWSER: '' } };
}

const option = (name: string, value: string) => ({ name, value, description: '', icon: '' });

describe('at a terminal', () => {
  it('create asks for the template, the name and each parameter, with standard answers, and holds answers to the rules', async () => {
    const { user, env, template } = await withTemplate({
      richParameters: [
        { name: 'region', displayName: 'Region', required: true, options: [option('Europe', 'eu'), option('America', 'us')] },
        { name: 'cpus', displayName: 'CPUs', type: 'number', mutable: true, defaultValue: '2', validationMin: 1, validationMax: 8 },
        { name: 'gpu', displayName: 'GPU', type: 'bool', mutable: true, defaultValue: 'false' },
      ],
    });
    const { code, stdout, screen } = await runAtTerminal(
      ['create', '--no-wait'],
      [
        ['Template', ENTER],
        ['Name', `dev${ENTER}`],
        ['Region', DOWN + ENTER],
        ['CPUs', `99${ENTER}`],
        ['Must be between', `\u0008\u00084${ENTER}`],
        ['GPU', ENTER],
      ],
      env,
    );
    expect(code, screen).toBe(0);
    expect(stdout).toContain(`${user.username}/dev`);
    const workspace = await cli.prisma.workspace.findFirstOrThrow({ where: { templateId: template.id }, select: { latestBuildId: true } });
    const values = await cli.prisma.workspaceBuildParameter.findMany({
      where: { buildId: workspace.latestBuildId ?? '' },
      select: { name: true, value: true },
      orderBy: { name: 'asc' },
    });
    expect(values).toEqual([
      { name: 'cpus', value: '4' },
      { name: 'gpu', value: 'false' },
      { name: 'region', value: 'us' },
    ]);
  });

  it('--yes takes standard answers', async () => {
    const { env, template } = await withTemplate({ richParameters: [{ name: 'cpus', type: 'number', defaultValue: '2' }] });
    const { code, screen } = await runAtTerminal(['create', '-t', template.name, '--yes', '--no-wait'], [], env);
    expect(code, screen).toBe(0);
  });

  it('delete asks for the name, and does nothing for another one', async () => {
    const made = await rows.workspace();
    const env = { BERTH_URL: cli.url, BERTH_SESSION_TOKEN: await cli.keyOf(made.owner.id) };
    const words = ['delete', made.workspace.name, '--no-wait'];
    const wrong = await runAtTerminal(words, [['Type', `other${ENTER}`]], env);
    expect(wrong).toMatchObject({ code: 2, screen: expect.stringContaining('Nothing was changed') });
    expect(await cli.prisma.workspaceBuild.count({ where: { workspaceId: made.workspace.id } })).toBe(1);
    expect((await runAtTerminal(words, [['Type', `${made.workspace.name}${ENTER}`]], env)).code).toBe(0);
    expect(await cli.prisma.workspaceBuild.count({ where: { workspaceId: made.workspace.id, transition: 'delete' } })).toBe(1);
  });

  it('Ctrl-C at a question is exit code 130, and nothing happens', async () => {
    const { env, user } = await withTemplate();
    expect((await runAtTerminal(['create'], [['Template', CTRL_C]], env)).code).toBe(130);
    expect(await cli.prisma.workspace.count({ where: { ownerId: user.id } })).toBe(0);
  });

  it('login shows where a token is, and takes the one that is pasted without showing it', async () => {
    const token = await cli.keyOf((await rows.user()).id);
    const env = { BERTH_CONFIG_DIR: await cli.configFolder() };
    const { code, screen } = await runAtTerminal(['login', cli.url], [['Token', `${token}${ENTER}`]], env);
    expect(code, screen).toBe(0);
    expect(screen).toContain(`${cli.url}/cli-auth`);
    expect(screen).not.toContain(token);
  });

  it('a build that waits says why, and goes on when the one who watches it interrupts', async () => {
    const { env, template, user } = await withTemplate();
    const { code, screen } = await runAtTerminal(['create', 'dev', '-t', template.name], [['provisioner', INTERRUPT]], env);
    expect(code, screen).toBe(130);
    expect(screen).toContain(`The build continues. See: berth logs ${user.username}/dev --follow`);
    expect(await cli.prisma.provisionerJob.count({ where: { initiatorId: user.id, canceledAt: null } })).toBe(1);
  });

  it('users create asks for a password twice, and shows it never', async () => {
    const admin = await rows.user({ siteRoles: ['owner'] });
    const env = { BERTH_URL: cli.url, BERTH_SESSION_TOKEN: await cli.keyOf(admin.id) };
    const words = ['users', 'create', '--username', 'grace', '--email', 'grace@example.com'];
    const typed = (again: string) => [
      ['Password', `a-good-Passw0rd!${ENTER}`] as const,
      ['Repeat the password', `${again}${ENTER}`] as const,
    ];
    expect((await runAtTerminal(words, typed('another-one'), env)).code).toBe(2);
    const { code, screen } = await runAtTerminal(words, typed('a-good-Passw0rd!'), env);
    expect(code, screen).toBe(0);
    expect(screen).not.toContain('Passw0rd');
  });

  it('the progress of a build is drawn on the terminal, and data alone goes to stdout', async () => {
    const made = await rows.workspace({ transition: 'stop' });
    const env = { BERTH_URL: cli.url, BERTH_SESSION_TOKEN: await cli.keyOf(made.owner.id) };
    const starting = runAtTerminal(['start', made.workspace.name, '-o', 'json'], [], env);
    await cli.provision(made.organization.id, { logs: ['fetched it'] });
    const { code, stdout, screen } = await starting;
    expect(code).toBe(0);
    expect(screen).toContain(`Starting ${made.owner.username}/${made.workspace.name}`);
    expect(screen).toContain('fetched it');
    expect(JSON.parse(stdout)).toMatchObject({ latest_build: { status: 'running' } });
  });
});
