import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';

const { app, prisma, keyOf } = await createTestServer();
const rows = given(prisma);
const user = await rows.user();
const headers = { 'service-session-token': await keyOf(user.id) };

/** A tar of nothing: two empty blocks. */
const EMPTY_TAR = Buffer.alloc(1024);

function form(filename: string, bytes: Buffer): { headers: Record<string, string>; payload: Buffer } {
  const start = `--edge\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=edge' },
    payload: Buffer.concat([Buffer.from(start), bytes, Buffer.from('\r\n--edge--\r\n')]),
  };
}

describe('an upload', () => {
  it('as body and as form is the same file: 201 first, 200 after', async () => {
    const first = await app.inject({
      method: 'POST',
      url: '/api/v2/files',
      headers: { ...headers, 'content-type': 'application/x-tar' },
      payload: EMPTY_TAR,
    });
    expect(first.statusCode).toBe(201);
    const again = await app.inject({ method: 'POST', url: '/api/v2/files', ...form('template.tar', EMPTY_TAR) });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual(first.json());
    const { hash } = first.json<{ hash: string }>();
    const download = await app.inject({ url: `/api/v2/files/${hash}`, headers });
    expect(download.headers['content-type']).toBe('application/x-tar');
    expect(download.rawPayload.equals(EMPTY_TAR)).toBe(true);
  });

  it('of another type, or without a credential, is refused with the error body', async () => {
    const text = await app.inject({
      method: 'POST',
      url: '/api/v2/files',
      headers: { ...headers, 'content-type': 'text/plain' },
      payload: 'hello',
    });
    expect(text.statusCode).toBe(400);
    expect(text.json()).toHaveProperty('validations');
    const anonymous = await app.inject({
      method: 'POST',
      url: '/api/v2/files',
      headers: { 'content-type': 'application/x-tar' },
      payload: EMPTY_TAR,
    });
    expect(anonymous.statusCode).toBe(401);
  });
});

describe('a download', () => {
  it('by someone else, of an unknown file, or with an unknown format tells nothing', async () => {
    const stored = await app.inject({
      method: 'POST',
      url: '/api/v2/files',
      headers: { ...headers, 'content-type': 'application/x-tar' },
      payload: EMPTY_TAR,
    });
    const { hash } = stored.json<{ hash: string }>();
    const stranger = { 'service-session-token': await keyOf((await rows.user()).id) };
    expect((await app.inject({ url: `/api/v2/files/${hash}`, headers: stranger })).statusCode).toBe(404);
    expect((await app.inject({ url: `/api/v2/files/${crypto.randomUUID()}`, headers })).statusCode).toBe(404);
    expect((await app.inject({ url: `/api/v2/files/${hash}?format=rar`, headers })).statusCode).toBe(400);
    expect((await app.inject({ url: '/api/v2/files/1', headers })).statusCode).toBe(400);
  });
});
