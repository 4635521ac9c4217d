import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { given } from '@berth/testing';
import { strToU8, zipSync } from 'fflate';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';

const server = await createTestServer();
const { app, prisma } = server;
const user = await given(prisma).user();
const key = await server.keyOf(user.id);
const MEBIBYTE = 1024 * 1024;

type Entry = Parameters<ReturnType<typeof pack>['entry']>[0] & { readonly content?: string };

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  const bytes = buffer(archive);
  for (const { content, ...header } of entries) {
    if (content === undefined) archive.entry(header);
    else archive.entry(header, content);
  }
  archive.finalize();
  return bytes;
}

async function upload(bytes: Uint8Array, type = 'application/x-tar') {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v2/files',
    headers: { 'service-session-token': key, 'content-type': type },
    payload: Buffer.from(bytes),
  });
  const body: unknown = response.body === '' ? undefined : response.json();
  server.requireDocumented({ method: 'POST', path: '/files', status: response.statusCode, body });
  return { status: response.statusCode, body };
}

/** Every upload that is refused leaves nothing. */
async function expectRefused(bytes: Uint8Array, type: string, reason: RegExp, title: string): Promise<void> {
  const before = await prisma.file.count();
  const { status, body } = await upload(bytes, type);
  expect({ title, status, body }).toMatchObject({ status: 400, body: { message: expect.stringMatching(reason) } });
  expect(await prisma.file.count()).toBe(before);
}

const TAR = 'application/x-tar';
const ZIP = 'application/zip';

describe('an uploaded tar', () => {
  it('is refused when a path leads out of its folder', async () => {
    for (const name of ['../evil', 'a/../../evil', '/etc/passwd', 'C:/evil', 'a\\..\\evil', `${'d/'.repeat(600)}x`]) {
      await expectRefused(await tarOf([{ name, content: 'x' }]), TAR, /path/, name);
    }
  });

  it('is refused when a link leads out of its folder, alone or over another link', async () => {
    const link = (name: string, linkname: string): Entry => ({ name, linkname, type: 'symlink' });
    const bad: Entry[][] = [
      [link('l', '/etc/passwd')],
      [link('l', '../x')],
      [link('a/l', '../../x')],
      [link('l', 'C:\\x')],
      [{ name: 'h', linkname: '../../etc/passwd', type: 'link' }],
      [{ name: 'h', linkname: '/etc/passwd', type: 'link' }],
      // The first ends at the root, so that the second steps out of it.
      [link('a/b/l', '../..'), link('m', 'a/b/l/..')],
      [link('m', 'a/b/l/../x'), link('a/b/l', '../..')],
      [link('l', 'a'), { name: 'l/x', content: 'x' }],
      [link('l', 'a'), { name: 'l/deep/x', content: 'x' }],
    ];
    for (const entries of bad) await expectRefused(await tarOf(entries), TAR, /link|path/, JSON.stringify(entries));
    const good = await upload(await tarOf([{ name: 'a/b', content: 'x' }, link('a/l', 'b'), link('c/l', '../a/b')]));
    expect(good.status).toBe(201);
  });

  it('is refused when it holds devices, pipes or more entries than allowed', async () => {
    for (const type of ['character-device', 'block-device', 'fifo'] as const) {
      await expectRefused(await tarOf([{ name: 'dev', type }]), TAR, /neither a file nor a folder/, type);
    }
    const many = Array.from({ length: 10_001 }, (_, index): Entry => ({ name: `f${index}`, content: '' }));
    await expectRefused(await tarOf(many), TAR, /more than 10000 entries/, 'entries');
  });

  it('is refused when a header promises more than there is, or than is allowed', async () => {
    const whole = await tarOf([{ name: 'f', content: 'x'.repeat(2000) }]);
    await expectRefused(whole.subarray(0, 1000), TAR, /not a valid tar file/, 'cut');
    for (const octal of ['77777777777', '-0000000001', 'zzzzzzzzzzz']) {
      const forged = Buffer.from(whole);
      forged.write(octal, 124, 11, 'latin1');
      forged.fill(' ', 148, 156);
      const sum = forged.subarray(0, 512).reduce((total, byte) => total + byte, 0);
      forged.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1');
      await expectRefused(forged, TAR, /archive cannot be used/, octal);
    }
    await expectRefused(gzipSync(Buffer.alloc(MEBIBYTE)), TAR, /not a valid tar file/, 'gzip');
    await expectRefused(Buffer.from('<html>'.repeat(200)), TAR, /not a valid tar file/, 'text');
  });
});

describe('an uploaded zip', () => {
  it('that is a bomb is refused before it is unpacked', async () => {
    const bomb = zipSync({ 'zeros.bin': new Uint8Array(101 * MEBIBYTE) }, { level: 1 });
    expect(bomb.length).toBeLessThan(MEBIBYTE);
    const before = process.memoryUsage().arrayBuffers;
    await expectRefused(bomb, ZIP, /once unpacked/, 'one file');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * MEBIBYTE);
  });

  it('that lies about its sizes gets no more room than it claims', async () => {
    const bomb = zipSync({ 'zeros.bin': new Uint8Array(20 * MEBIBYTE) }, { level: 1 });
    const lying = Buffer.from(bomb);
    // The size once unpacked, in the local header and in the directory.
    lying.writeUInt32LE(10, 22);
    lying.writeUInt32LE(10, lying.indexOf('PK\u0001\u0002', 0, 'latin1') + 24);
    const { status } = await upload(lying, ZIP);
    expect([201, 400]).toContain(status);
    const stored = await prisma.$queryRaw<{ most: number }[]>`SELECT coalesce(max(length(data)), 0) AS most FROM files`;
    expect(stored[0]?.most).toBeLessThan(MEBIBYTE);
  });

  it('is refused for paths that lead out, twice the same path, too many entries, and when it is broken', async () => {
    for (const name of ['../evil', '/etc/passwd', 'a/../../evil', 'a\\..\\..\\evil', 'C:/evil']) {
      await expectRefused(zipSync({ [name]: strToU8('x') }), ZIP, /path/, name);
    }
    const twice = Buffer.from(zipSync({ 'a/x': strToU8('1'), 'a/y': strToU8('2') }));
    await expectRefused(Buffer.from(twice.toString('latin1').replaceAll('a/y', 'a/x'), 'latin1'), ZIP, /twice/, 'twice');
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`f${index}`, new Uint8Array()]));
    await expectRefused(zipSync(many, { level: 0 }), ZIP, /more than 10000 entries/, 'entries');
    for (const bytes of [Buffer.from('PK\u0003\u0004'), Buffer.alloc(0), Buffer.alloc(100), twice.subarray(0, 40), twice.subarray(20)]) {
      await expectRefused(bytes, ZIP, /archive cannot be used/, bytes.toString('hex').slice(0, 40));
    }
  });

  it('with a symbolic link keeps it as a plain file, whose content is the target', async () => {
    const zip = zipSync({ l: [strToU8('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }] });
    const { body } = await upload(zip, ZIP);
    const { hash } = body as { hash: string };
    const tar = await app.inject({ url: `/api/v2/files/${hash}`, headers: { 'service-session-token': key } });
    expect(tar.rawPayload.subarray(156, 157).toString()).toBe('0');
    expect(tar.rawPayload.subarray(512, 523).toString()).toBe('/etc/passwd');
  });
});

describe('an upload', () => {
  it('of nobody is refused before its body is read', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/v2/files',
      headers: { 'content-type': TAR, 'content-length': String(90 * MEBIBYTE) },
      payload: Buffer.alloc(10),
    });
    expect(response.statusCode).toBe(401);
  });

  it('above the bound is 413, as body and as form', async () => {
    const big = Buffer.alloc(100 * MEBIBYTE + 1);
    expect((await upload(big)).status).toBe(413);
    const start = Buffer.from(
      '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.tar"\r\nContent-Type: application/x-tar\r\n\r\n',
    );
    const form = Buffer.concat([start, big, Buffer.from('\r\n--edge--\r\n')]);
    expect((await upload(form, 'multipart/form-data; boundary=edge')).status).toBe(413);
  });

  it('as a form that is broken is refused', async () => {
    const part = (disposition: string): Buffer => Buffer.from(`--edge\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--edge--\r\n`);
    const bodies: [Buffer, string][] = [
      [part('form-data; name="other"; filename="a.tar"'), 'multipart/form-data; boundary=edge'],
      [part('form-data; name="file"'), 'multipart/form-data; boundary=edge'],
      [part('form-data; name="__proto__"; filename="a.tar"'), 'multipart/form-data; boundary=edge'],
      [Buffer.from('--edge\r\n'), 'multipart/form-data; boundary=edge'],
      [Buffer.alloc(0), 'multipart/form-data; boundary=edge'],
      [Buffer.from('x'), 'multipart/form-data'],
      [Buffer.from('x'), 'multipart/form-data; boundary='],
      [Buffer.from('x'), 'application/x-tar; charset=utf-8'],
      [Buffer.from('x'), ''],
    ];
    for (const [bytes, type] of bodies) expect((await upload(bytes, type)).status, `${type} ${bytes.toString().slice(0, 80)}`).toBe(400);
  });
});
