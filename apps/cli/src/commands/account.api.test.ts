import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { hashPasswordForTest } from '@berth/api/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestCli, run } from '../testing/index.ts';

const cli = await createTestCli();
const { url, rows } = cli;

async function person() {
  const user = await rows.user({ passwordHash: await hashPasswordForTest('a-good-Passw0rd!') });
  return { user, password: 'a-good-Passw0rd!' };
}

describe('login', () => {
  it('with a password keeps the session for later commands, in a file that only its owner may read', async () => {
    const { user, password } = await person();
    const env = { BERTH_CONFIG_DIR: await cli.configFolder() };
    const signedIn = await run(['login', url, '--email', user.email, '--password-stdin'], { env, stdin: `${password}\n` });
    expect(signedIn).toMatchObject({ code: 0, stdout: `Signed in to ${url} as ${user.username}.\n` });
    const file = join(env.BERTH_CONFIG_DIR, 'sessions.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(env.BERTH_CONFIG_DIR).mode & 0o777).toBe(0o700);
    expect(readFileSync(file, 'utf8')).not.toContain(password);
    const me = await run(['whoami', '-o', 'json'], { env });
    expect(me.json()).toMatchObject({ username: user.username, url });
    expect((await run(['whoami'], { env })).stdout).toContain(user.email);
  });

  it('with a token checks it before it is kept', async () => {
    const env = { BERTH_CONFIG_DIR: await cli.configFolder() };
    const refused = await run(['login', url, '--token', 'abcdefghij-0123456789012345678901'], { env });
    expect(refused.code).toBe(3);
    expect(() => statSync(env.BERTH_CONFIG_DIR)).toThrow('ENOENT');
    const token = await cli.keyOf((await rows.user()).id);
    expect((await run(['login', url, '--token', token], { env })).code).toBe(0);
    expect((await run(['whoami'], { env })).code).toBe(0);
  });

  it('says what is missing where nobody can be asked, and where a token is shown', async () => {
    const { code, stderr } = await run(['login', url]);
    expect(code).toBe(2);
    expect(stderr).toContain('--token');
    expect(stderr).toContain(`${url}/cli-auth`);
  });

  it('prints the request ID of an internal error, which finds it in the log of the server', async () => {
    const { user, password } = await person();
    await cli.prisma.$executeRaw`
      CREATE FUNCTION fail_login() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`;
    await cli.prisma.$executeRaw`CREATE TRIGGER fail_login BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION fail_login()`;
    const { code, stderr } = await run(['login', url, '--email', user.email, '--password-stdin'], { stdin: `${password}\n` });
    await cli.prisma.$executeRaw`DROP TRIGGER fail_login ON api_keys`;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: An internal error occurred\. .*\nRequest ID: [0-9a-f-]{36}\n$/);
  });

  it('with a wrong password is exit code 3, in the server’s words', async () => {
    const { user } = await person();
    const { code, stderr } = await run(['login', url, '--email', user.email, '--password-stdin'], { stdin: 'wrong' });
    expect(code).toBe(3);
    expect(stderr).toContain('password');
  });

  it('finds out that a server is no Berth before anything secret goes there', async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${String(request.headers['service-session-token'])}`);
      response.end('<html>hello</html>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    afterAll(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run(['login', `http://127.0.0.1:${port}`, '--token', 'abcdefghij-0123456789012345678901']);
    expect(code).toBe(7);
    expect(stderr).toContain('not a Berth server');
    expect(seen.every((line) => line.endsWith('undefined'))).toBe(true);
  });
});

describe('a session', () => {
  it('of one server is never shown to another', async () => {
    const env = { BERTH_CONFIG_DIR: await cli.configFolder() };
    const token = await cli.keyOf((await rows.user()).id);
    await run(['login', url, '--token', token], { env });
    const { code, stderr } = await run(['whoami', '--url', 'http://127.0.0.1:9'], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('berth login http://127.0.0.1:9');
  });

  it('does not follow a redirect, which would take the token along', async () => {
    const tokens: unknown[] = [];
    const target = createServer((request, response) => {
      tokens.push(request.headers['service-session-token']);
      response.end('{}');
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const to = (target.address() as AddressInfo).port;
    const redirecting = createServer((request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${to}${request.url}` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    afterAll(() => [target, redirecting].forEach((server) => server.close()));
    const from = (redirecting.address() as AddressInfo).port;
    const { code, stderr } = await run(['whoami', '--url', `http://127.0.0.1:${from}`, '--token', 'abcdefghij-0123456789012345678901']);
    expect(code).toBe(7);
    expect(stderr).toContain(`redirects to http://127.0.0.1:${to}`);
    expect(tokens).toEqual([]);
  });

  it('is over and forgotten after logout', async () => {
    const env = { BERTH_CONFIG_DIR: await cli.configFolder() };
    const token = await cli.keyOf((await rows.user()).id);
    await run(['login', url, '--token', token], { env });
    expect(await run(['logout'], { env })).toMatchObject({ code: 0, stdout: `Signed out of ${url}.\n` });
    expect((await run(['whoami'], { env })).code).toBe(3);
    expect((await run(['whoami', '--url', url, '--token', token], { env })).code).toBe(3);
    expect(readFileSync(join(env.BERTH_CONFIG_DIR, 'sessions.json'), 'utf8')).not.toContain(token);
  });
});

describe('version', () => {
  it('says both versions, and its own alone where there is no server', async () => {
    const here = await run(['version', '-o', 'json', '--url', url]);
    expect(here.json()).toEqual({ cli: expect.stringMatching(/^\d/), server: 'v0.0.0-test' });
    expect((await run(['version'], { env: { BERTH_CONFIG_DIR: '/nonexistent' } })).code).toBe(0);
  });
});

describe('a server that cannot be reached', () => {
  it('is exit code 7 and one sentence', async () => {
    const { code, stderr } = await run(['whoami', '--url', 'http://127.0.0.1:59999', '--token', 'abcdefghij-0123456789012345678901']);
    expect(code).toBe(7);
    expect(stderr).toContain('cannot be reached');
  });
});

describe('tokens', () => {
  it('are made, listed and revoked; the secret is printed once and alone', async () => {
    const berth = await cli.as((await rows.user()).id);
    const made = await berth('tokens', 'create', 'ci', '--lifetime', '2d', '--permission', 'workspace:read');
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^[A-Za-z0-9]{10}-[A-Za-z0-9]{22}\n$/);
    const listed = await berth('tokens', 'list', '-o', 'json');
    expect(listed.json()).toMatchObject([
      { token_name: 'ci', scope: 'limited', permissions: ['workspace:read'], lifetime_seconds: 172_800 },
    ]);
    expect((await berth('tokens', 'list')).stdout).toContain('workspace:read');
    expect((await berth('tokens', 'create', 'ci')).code).toBe(6);
    expect((await berth('tokens', 'create', '--permission', 'workspace:read', '--scope', 'all')).code).toBe(2);
    expect((await berth('tokens', 'create', '--permission', 'cow:milk')).code).toBe(2);
    expect((await berth('tokens', 'remove', 'other')).code).toBe(4);
    expect((await berth('tokens', 'remove', 'ci')).code).toBe(0);
    expect((await berth('tokens', 'list', '-o', 'json')).json()).toEqual([]);
  });
});
