import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../testing/run.ts';
import { durationMs } from './declare.ts';
import { asCliError, CliError, EXIT } from './errors.ts';
import { allPages } from './paging.ts';
import { configFolder, serverUrl, SessionStore } from './sessions.ts';
import { durationText, relativeTime } from './times.ts';
import { VERSION } from './version.ts';
import { parseWorkspaceRef } from './workspace-ref.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

describe('the form of workspaces', () => {
  it('is [owner/]name[.agent], and nothing else', () => {
    expect(parseWorkspaceRef('dev')).toEqual({ owner: 'me', name: 'dev', agent: null });
    expect(parseWorkspaceRef('ada/dev.main')).toEqual({ owner: 'ada', name: 'dev', agent: 'main' });
    expect(parseWorkspaceRef('@ada/dev')).toEqual({ owner: 'ada', name: 'dev', agent: null });
    for (const wrong of ['', '/', 'a/b/c', 'dev.', '.main', 'a.b.c', 'a/']) expect(() => parseWorkspaceRef(wrong), wrong).toThrow(CliError);
  });
});

describe('times', () => {
  it('are read with their units, and refused without', () => {
    expect(durationMs('1h30m')).toBe(5_400_000);
    expect(durationMs('7d')).toBe(604_800_000);
    for (const wrong of ['', '5', 'h', '1x', '1h 30m', '-1h', '1.5h']) expect(() => durationMs(wrong), wrong).toThrow('such as');
  });

  it('are told as people say them', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(relativeTime('2025-12-31T23:57:00Z', now)).toBe('3 minutes ago');
    expect(relativeTime('2026-01-01T02:00:00Z', now)).toBe('in 2 hours');
    expect(relativeTime(null)).toBe('never');
    expect(durationText(5_400_000)).toBe('1h 30m');
  });
});

describe('the folder of sessions', () => {
  it('is BERTH_CONFIG_DIR, else berth in XDG_CONFIG_HOME, else in ~/.config', () => {
    expect(configFolder({ env: { BERTH_CONFIG_DIR: '/a', XDG_CONFIG_HOME: '/b', HOME: '/h' } })).toBe('/a');
    expect(configFolder({ env: { XDG_CONFIG_HOME: '/b', HOME: '/h' } })).toBe('/b/berth');
    expect(configFolder({ env: { XDG_CONFIG_HOME: 'relative', HOME: '/h' } })).toBe('/h/.config/berth');
  });

  it('keeps one token for each server, and forgets one alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-cli-'));
    folders.push(folder);
    const store = new SessionStore({ env: { BERTH_CONFIG_DIR: folder } });
    store.keep('https://one.example', 'first');
    store.keep('https://two.example', 'second');
    expect([store.currentUrl(), store.tokenOf('https://one.example')]).toEqual(['https://two.example', 'first']);
    store.forget('https://two.example');
    expect([store.currentUrl(), store.tokenOf('https://two.example')]).toEqual(['', undefined]);
    expect(store.tokenOf('https://one.example')).toBe('first');
  });

  it('knows no server by a property that every object has', () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-cli-'));
    folders.push(folder);
    expect(new SessionStore({ env: { BERTH_CONFIG_DIR: folder } }).tokenOf('constructor')).toBeUndefined();
  });
});

describe('the address of a server', () => {
  it('is kept without what does not belong to it', () => {
    expect(serverUrl('https://berth.example.com/')).toBe('https://berth.example.com');
    expect(serverUrl('berth.example.com')).toBe('https://berth.example.com');
    expect(serverUrl('http://127.0.0.1:3000/base/?q=1')).toBe('http://127.0.0.1:3000/base');
    for (const wrong of ['https://', 'https://a:b@berth.example.com', 'ftp://x y']) expect(() => serverUrl(wrong), wrong).toThrow(CliError);
  });
});

describe('exit codes', () => {
  it('follow the kind of the refusal', () => {
    const code = (kind: string) => asCliError(Object.assign(new Error('no'), { name: 'TRPCClientError', data: { kind } })).exitCode;
    const found = ['unauthenticated', 'not_found', 'forbidden', 'conflict', 'not_ready', 'unavailable', 'rate_limited'].map(code);
    expect(found).toEqual([3, 4, 5, 6, 6, 7, 7]);
    expect(asCliError(new Error('what?')).exitCode).toBe(EXIT.failed);
    expect(asCliError(new TypeError('x is not a function'))).toMatchObject({
      exitCode: EXIT.failed,
      next: expect.stringContaining('BERTH_DEBUG'),
    });
    expect(asCliError(new TypeError('fetch failed', { cause: new Error('no') })).exitCode).toBe(EXIT.unavailable);
    expect(asCliError(new Error('wrapped', { cause: new CliError(EXIT.conflict, 'taken') })).exitCode).toBe(EXIT.conflict);
  });

  it('are 2 for what is no command, and 0 for help and the version', async () => {
    expect((await run(['fly'])).code).toBe(2);
    expect((await run(['users', 'fly'])).code).toBe(2);
    expect((await run(['help', 'users', 'list'])).code).toBe(0);
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
    expect((await run([])).stdout).toContain('Workspaces:');
  });

  it('are 130 for what was interrupted before it began to ask', async () => {
    const { code } = await run(['whoami', '--url', 'http://127.0.0.1:59999', '--token', 'x'], { signal: AbortSignal.abort() });
    expect(code).toBe(130);
  });
});

describe('paging', () => {
  it('goes on until there is no more, or the limit is reached', async () => {
    const all = Array.from({ length: 25 }, (_, index) => index);
    const read = async ({ limit, offset }: { limit: number; offset: number }) => ({ rows: all.slice(offset, offset + limit) });
    expect(await allPages(read, { pageSize: 10 })).toEqual({ rows: all, hasMore: false });
    expect((await allPages(read, { pageSize: 10, limit: 12 })).rows).toHaveLength(12);
    const counted = async (page: { limit: number; offset: number }) => ({ ...(await read(page)), total: 25 });
    expect(await allPages(counted, { pageSize: 5, limit: 25 })).toMatchObject({ hasMore: false });
    expect(await allPages(counted, { pageSize: 5, limit: 20 })).toMatchObject({ hasMore: true });
  });
});

it('the version is that of the repository', () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'));
  expect(manifest).toMatchObject({ version: VERSION });
});
