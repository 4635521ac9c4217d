import { RichParameter } from '@berth/protocol';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildJob } from '../../testing/jobs.ts';
import { toContainers } from '../container/container-spec.ts';
import { toRichParameters } from './parameters.ts';
import { readTemplate } from './read-template.ts';
import { buildScope, parameterEnvironment, toResources } from './resources.ts';

const TEMPLATES = join(import.meta.dirname, '../../../../../templates');
const run = promisify(execFile);

const names = (await readdir(TEMPLATES)).filter((name) => existsSync(join(TEMPLATES, name, 'berth.yaml')));

it.each(names)('the starter template %s is good and describes itself', async (name) => {
  const { yaml, readme } = await readTemplate(join(TEMPLATES, name));
  for (const parameter of toRichParameters(yaml)) expect(RichParameter.parse(parameter)).toEqual(parameter);
  const scope = buildScope(yaml, buildJob());
  expect([...toResources(yaml, scope).broken, ...toContainers(yaml, scope).broken]).toEqual([]);
  expect(yaml).toMatchObject({
    name: expect.stringMatching(/./),
    description: expect.stringMatching(/./),
    icon: expect.stringMatching(/^\/icon\//),
  });
  expect(readme).toMatch(/^# /);
});

it('the empty shell asks for nothing', async () => {
  const { yaml } = await readTemplate(join(TEMPLATES, 'shell'));
  expect(yaml.parameters).toEqual([]);
});

/** Ports and homes of one test each. */
let home = '';
let port = 0;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'berth-starter-'));
  port = await freePort();
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}

const workspaceId = '11111111-2222-4333-8444-555555555555';

interface ScriptRun {
  readonly template: string;
  readonly name: string;
  readonly values?: Record<string, string>;
  readonly path?: string;
}

/** Runs a starter's script as an agent would, in a folder that stands in for the home. */
async function runScript({ template, name, values = {}, path = `${dirname(process.execPath)}:/usr/bin:/bin` }: ScriptRun): Promise<string> {
  const { yaml } = await readTemplate(join(TEMPLATES, template));
  const given = Object.entries({ port: String(port), ...values }).map(([key, value]) => ({ name: key, value }));
  const scope = buildScope(yaml, buildJob({ rich_parameter_values: given }));
  const agent = toResources(yaml, scope).resources[0]?.agents[0];
  const found = agent?.scripts.find((candidate) => candidate.display_name === name);
  if (agent === undefined || found === undefined) throw new Error(`There is no script ${name}.`);
  const env = { BERTH_WORKSPACE_ID: workspaceId, HOME: home, PATH: path, ...agent.environment, ...parameterEnvironment(yaml, scope) };
  const { stdout } = await run('/bin/sh', ['-c', found.script], { env, cwd: home });
  return stdout;
}

describe('the Node web project', () => {
  afterEach(() => script('Stop the server').catch(() => ''));

  const script = async (name: string, values: Record<string, string> = {}) => await runScript({ template: 'node-web', name, values });

  const page = async (path: string) => await (await fetch(`http://127.0.0.1:${port}${path}`)).text();

  it.each(['development', 'production'])(
    'starts a page that answers, in %s, and stops it',
    async (mode) => {
      expect(await script('Start the server', { node_env: mode })).toContain('The page is ready');
      expect(await page(`/health/${workspaceId}`)).toBe('ok');
      expect(await page('/health/another')).not.toBe('ok');
      expect(await page('/')).toContain('Your workspace is up and running.');
      expect(JSON.parse(await page('/api/status'))).toMatchObject({ mode, visits: 1 });
      expect(await script('Stop the server')).toContain('The server has stopped');
      await expect(page('/')).rejects.toThrow();
    },
    30_000,
  );

  it('shows what people chose as text, and links only relative to itself', async () => {
    await script('Start the server', { greeting: '<b>"$(id)"</b>', project_name: 'my-site' });
    const html = await page('/');
    expect(html).toContain('&#60;b&#62;&#34;$(id)&#34;&#60;/b&#62;');
    expect(html).toContain('<h1>my-site</h1>');
    expect(html).not.toMatch(/(?:href|src)="(?:\/|https?:)/);
  }, 30_000);

  it('shows no greeting to whoever wants none', async () => {
    await script('Start the server', { has_greeting: 'false' });
    expect(await page('/')).not.toContain('up and running');
  }, 30_000);

  it('keeps the files that are there', async () => {
    await script('Start the server');
    await script('Stop the server');
    const file = join(home, 'hello-berth', 'index.html');
    await writeFile(file, 'mine');
    await script('Start the server');
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await page('/')).toBe('mine');
  }, 30_000);

  it('says so when the port is taken', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    await expect(script('Start the server')).rejects.toThrow(
      `Port ${port} is already in use on this machine, probably by another workspace. Choose another Port`,
    );
    other.close();
  }, 30_000);
});

const python = await run('/bin/sh', ['-c', 'command -v python3'], { env: { PATH: '/usr/bin:/bin' } }).then(
  () => true,
  () => false,
);

describe.each([{ title: python ? 'the Python project' : 'the Python project (skipped: there is no python3 in /usr/bin)' }])(
  '$title',
  () => {
    afterEach(() => script('Stop Python').catch(() => ''));

    const script = async (name: string, path?: string) =>
      await runScript({ template: 'python', name, ...(path === undefined ? {} : { path }) });
    const page = async (path = '') => await fetch(`http://127.0.0.1:${port}/@alice/dev/apps/notebook${path}`);

    it.skipIf(!python)(
      'shows how to get JupyterLab where there is none, and stops',
      async () => {
        expect(await script('Start Python')).toContain('There is no JupyterLab');
        const html = await (await page()).text();
        expect(html).toContain('pip install jupyterlab');
        expect(html).toContain('<li>main.py</li>');
        expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
        expect(await script('Stop Python')).toContain('Stopped');
        await expect(page()).rejects.toThrow();
      },
      30_000,
    );

    it.skipIf(!python)(
      'starts the JupyterLab of the project, behind a token and below its path',
      async () => {
        const bin = join(home, 'hello-python', '.venv', 'bin');
        await mkdir(bin, { recursive: true });
        const lab = `#!/usr/bin/python3
import http.server, json, os, sys
options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
class Lab(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
        self.wfile.write(json.dumps([self.path, options["--ServerApp.base_url"], len(os.environ["JUPYTER_TOKEN"])]).encode())
    def log_message(self, *arguments): pass
http.server.HTTPServer((options["--ip"], int(options["--port"])), Lab).serve_forever()
`;
        await writeFile(join(bin, 'jupyter-lab'), lab, { mode: 0o755 });
        expect(await script('Start Python')).toContain(`Starting ${bin}/jupyter-lab`);
        expect(await (await page('/api')).json()).toEqual(['/@alice/dev/apps/notebook/api', '/@alice/dev/apps/notebook/', 32]);
      },
      30_000,
    );

    it.skipIf(!python)(
      'says so when the port is taken',
      async () => {
        const other = createServer().listen(port, '127.0.0.1');
        await once(other, 'listening');
        await expect(script('Start Python')).rejects.toThrow(`Port ${port} is taken: give the workspace another one`);
        other.close();
      },
      30_000,
    );

    it('says so where there is no Python', async () => {
      await expect(script('Start Python', '/nowhere')).rejects.toThrow('There is no python3 on this machine.');
    });
  },
);

it('the container gives what people choose to the engine, and keeps the home', async () => {
  const { yaml } = await readTemplate(join(TEMPLATES, 'container'));
  const values = [
    { name: 'image', value: 'ubuntu:24.04' },
    { name: 'cpus', value: '3' },
  ];
  expect(toContainers(yaml, buildScope(yaml, buildJob({ rich_parameter_values: values }))).containers).toMatchObject([
    {
      image: 'ubuntu:24.04',
      nanoCpus: 3e9,
      memoryBytes: 2 * 1024 ** 3,
      user: 'root',
      volumes: [{ name: 'home', path: '/root', persistent: true }],
      agent: 'main',
    },
  ]);
});
