import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

import { DomainError } from '@berth/core';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { connectResumable } from './connect.ts';
import type { ConnectResumableOptions, ResumableState } from './connect.ts';
import { fakeCarrier } from './fake-carrier.ts';
import { ResumableHost } from './host.ts';
import type { ResumableStream } from './stream.ts';
import { ackFrame, dataHeader, helloFrame, NO_EPOCH } from './wire.ts';

const HOLDER = 'holder';

interface World {
  readonly host: ResumableHost;
  readonly client: ResumableStream;
  /** The host's end, once the first carrier has come. */
  readonly served: Promise<ResumableStream>;
  /** The carriers so far, the client's ends. */
  readonly carriers: Duplex[];
  readonly states: ResumableState[];
}

/** A client and a host whose carriers break after the given numbers of bytes; the last one lasts. */
function world(cuts: readonly number[] = [], options: Partial<ConnectResumableOptions> = {}): World {
  const host = new ResumableHost({ graceMs: 60_000, maxStreams: 8 });
  const left = [...cuts];
  const carriers: Duplex[] = [];
  const states: ResumableState[] = [];
  const { promise: served, resolve } = Promise.withResolvers<ResumableStream>();
  const stream = randomUUID();
  const client = connectResumable({
    dial: async () => {
      const [near, far] = fakeCarrier(left.shift());
      carriers.push(near);
      const fresh = host.accept(far, { stream, holder: HOLDER });
      if (fresh !== null) resolve(fresh);
      return near;
    },
    giveUpAfterMs: 60_000,
    onState: (state) => states.push(state),
    ...options,
  });
  onTestFinished(() => {
    client.destroy();
    host.close();
  });
  return { host, client, served, carriers, states };
}

const closed = (stream: Duplex): Promise<void> =>
  new Promise((resolve) => (stream.closed ? resolve() : void stream.once('close', () => resolve())));

/** Everything up to the end; unlike `for await` it leaves the other direction open. */
function buffer(stream: Duplex): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.once('end', () => resolve(Buffer.concat(pieces)));
    stream.once('close', () => reject(stream.errored ?? new Error('The stream closed before its end.')));
  });
}

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Bytes of which each place tells its position, so that a shift shows. */
function pattern(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 1) bytes[at] = (at * 31 + (at >> 8) * 7 + seed) & 0xff;
  return bytes;
}

async function writeAll(stream: Duplex, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), closed(stream)]);
  stream.end();
}

describe('a resumable stream', () => {
  it('delivers every byte once and in order, both ways, wherever its carriers break', async () => {
    const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 120_000 })), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, sizes, fc.array(fc.integer({ min: 1, max: 200_000 }), { maxLength: 12 }), async (there, back, cuts) => {
        const { host, client, served } = world(cuts);
        const upward = there.map((size, at) => pattern(size, at));
        const downward = back.map((size, at) => pattern(size, at + 100));
        const [gotThere, gotBack] = await Promise.all([
          served.then((stream) => buffer(stream)),
          buffer(client),
          writeAll(client, upward),
          served.then((stream) => writeAll(stream, downward)),
        ]);
        expect(gotThere.equals(Buffer.concat(upward))).toBe(true);
        expect(gotBack.equals(Buffer.concat(downward))).toBe(true);
        const far = await served;
        await Promise.all([finished(client), finished(far)]);
        expect([client.isComplete, far.isComplete, host.size]).toEqual([true, true, 0]);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('echoes 32 MiB through a reader that only reads as fast as it may write', async () => {
    const { client, served } = world([3_000_000, 9_000_000, 1]);
    const sent = pattern(32 * 1024 * 1024, 5);
    const echo = served.then((stream) => pipeline(stream, stream));
    const [got] = await Promise.all([buffer(client), writeAll(client, [sent]), echo]);
    expect(sha(got)).toBe(sha(sent));
  }, 60_000);

  it('holds a writer back when nobody reads, and keeps no more than its window', async () => {
    const { client, served } = world();
    const far = await served;
    const chunk = Buffer.alloc(64 * 1024);
    let written = 0;
    while (written < 64 * 1024 * 1024) {
      written += chunk.length;
      if (client.write(chunk)) continue;
      const drained = await Promise.race([
        once(client, 'drain').then(() => true),
        new Promise((resolve) => setTimeout(resolve, 500, false)),
      ]);
      if (drained === false) break;
    }
    expect(written).toBeLessThan(16 * 1024 * 1024);
    client.end();
    let read = 0;
    for await (const piece of far) read += piece.length;
    expect(read).toBe(written);
  }, 30_000);

  it('says finish only when the other end has everything, and lets the other direction go on', async () => {
    const { client, served } = world();
    const far = await served;
    client.end('question');
    expect((await buffer(far)).toString()).toBe('question');
    await finished(client, { readable: false });
    far.write('a');
    const reading = buffer(client);
    far.end('nswer');
    expect((await reading).toString()).toBe('answer');
  });

  it('goes on with the same stream at the host after a cut, and says how it stands', async () => {
    const { host, client, served, carriers, states } = world();
    const far = await served;
    client.write('one ');
    await once(far, 'readable');
    expect(String(far.read())).toBe('one ');
    carriers[0]?.destroy();
    client.write('two');
    await once(far, 'readable');
    expect(String(far.read())).toBe('two');
    expect(host.size).toBe(1);
    expect(states.map(({ kind }) => kind)).toEqual(['dialling', 'open', 'dialling', 'open']);
  });

  it('replaces a carrier that fell silent', async () => {
    const silent: Duplex[] = [];
    const host = new ResumableHost({ graceMs: 60_000, maxStreams: 1 });
    const { promise: served, resolve } = Promise.withResolvers<ResumableStream>();
    const client = connectResumable({
      dial: async () => {
        const [near, far] = fakeCarrier();
        const fresh = host.accept(far, { stream: 's', holder: HOLDER });
        if (fresh !== null) resolve(fresh);
        silent.push(far);
        return near;
      },
      giveUpAfterMs: 60_000,
      pingIntervalMs: 20,
      deadAfterMs: 400,
    });
    onTestFinished(() => void client.destroy());
    const far = await served;
    await once(client, 'carried');
    silent[0]?.pause();
    await once(client, 'lost');
    client.write('still here');
    await once(far, 'readable');
    expect(String(far.read())).toBe('still here');
    expect(silent.length).toBeGreaterThan(1);
  });

  it('tells the other end when one is destroyed, and why', async () => {
    const { client, served, host } = world();
    const far = await served;
    await once(client, 'carried');
    client.destroy(new Error('The person left.'));
    await closed(far);
    expect(far.errored).toMatchObject({ code: 'closed', message: 'The person left.' });
    await expect.poll(() => host.size).toBe(0);
  });

  it('gives up when no carrier comes for too long, with the last failure as the cause', async () => {
    const client = connectResumable({
      dial: async () => {
        throw new Error('no route');
      },
      giveUpAfterMs: 200,
    });
    await closed(client);
    expect(client.errored).toMatchObject({ code: 'closed', cause: { message: 'no route' } });
  });

  it('does not dial again after a refusal that will stay one', async () => {
    let dials = 0;
    const client = connectResumable({
      dial: async () => {
        dials += 1;
        throw new DomainError('forbidden', 'You may not enter this workspace.');
      },
      giveUpAfterMs: 60_000,
    });
    await closed(client);
    expect([dials, client.errored?.message]).toEqual([1, 'You may not enter this workspace.']);
  });
});

describe('a host of resumable streams', () => {
  function accepted(host: ResumableHost, name: string, holder = HOLDER): { near: Duplex; stream: ResumableStream | null } {
    const [near, far] = fakeCarrier();
    return { near, stream: host.accept(far, { stream: name, holder }) };
  }

  it('lets nobody but its holder go on with a stream', async () => {
    const { client, host, served } = world();
    const far = await served;
    await once(client, 'carried');
    const name = randomUUID();
    const mine = accepted(host, name);
    const [near, other] = fakeCarrier();
    expect(host.accept(other, { stream: name, holder: 'somebody else' })).toBeNull();
    expect((await buffer(near)).toString()).toContain('belongs to somebody else');
    expect([far.destroyed, mine.stream?.destroyed]).toEqual([false, false]);
  });

  it('ends a stream whose client does not come back', async () => {
    const host = new ResumableHost({ graceMs: 100, maxStreams: 1 });
    const { near, stream } = accepted(host, 'lost');
    near.destroy();
    if (stream === null) throw new Error('no stream');
    await closed(stream);
    expect(stream.errored).toMatchObject({ code: 'closed', message: 'The client did not come back.' });
    await expect.poll(() => host.size).toBe(0);
  });

  it('takes so many streams and no more', async () => {
    const host = new ResumableHost({ graceMs: 60_000, maxStreams: 2 });
    onTestFinished(() => host.close());
    expect([accepted(host, 'a').stream, accepted(host, 'b').stream].includes(null)).toBe(false);
    const { near, stream } = accepted(host, 'c');
    expect(stream).toBeNull();
    expect((await buffer(near)).toString()).toContain('There are 2 connections already.');
  });

  it('never makes a new stream for a client that means one it has forgotten', async () => {
    const first = new ResumableHost({ graceMs: 60_000, maxStreams: 2 });
    const second = new ResumableHost({ graceMs: 60_000, maxStreams: 2 });
    onTestFinished(() => [first, second].forEach((host) => host.close()));
    const hosts = [first, second];
    const ends: Duplex[] = [];
    const client = connectResumable({
      dial: async () => {
        const [near, far] = fakeCarrier();
        ends.push(near);
        hosts.shift()?.accept(far, { stream: 'x', holder: HOLDER });
        return near;
      },
      giveUpAfterMs: 60_000,
    });
    await once(client, 'carried');
    ends[0]?.destroy();
    await closed(client);
    expect(client.errored?.message).toBe('The other end no longer knows this connection.');
    await expect.poll(() => second.size).toBe(0);
  });

  it('ends a stream at what the protocol does not allow, and nothing else', async () => {
    const host = new ResumableHost({ graceMs: 60_000, maxStreams: 20 });
    onTestFinished(() => host.close());
    const hello = helloFrame({ epoch: NO_EPOCH, attempt: 1, arrived: 0, consumed: 0 });
    const wrong: readonly (readonly Buffer[])[] = [
      [Buffer.from('SSH-2.0-nobody\r\n')],
      [dataHeader(3), Buffer.from('abc')],
      [hello, hello],
      [hello, ackFrame(9)],
      [helloFrame({ epoch: NO_EPOCH, attempt: 1, arrived: 7, consumed: 0 })],
      [helloFrame({ epoch: NO_EPOCH, attempt: 1, arrived: 0, consumed: 7 })],
      [hello, dataHeader(2 ** 31)],
      [hello, Buffer.from([99, 0, 0, 0, 0])],
      [hello, Buffer.from([4, 0, 0, 0, 0]), Buffer.from([4, 0, 0, 0, 0])],
    ];
    const bystander = accepted(host, 'bystander').stream;
    for (const [at, words] of wrong.entries()) {
      const { near } = accepted(host, `wrong ${at}`);
      near.end(Buffer.concat(words));
      const answer = await buffer(near);
      expect(answer.indexOf(5), `case ${at}`).toBeGreaterThanOrEqual(0);
    }
    expect(bystander?.destroyed).toBe(false);
  });

  it('ends a stream whose client sends more than the window before anything was read', async () => {
    const host = new ResumableHost({ graceMs: 60_000, maxStreams: 1 });
    onTestFinished(() => host.close());
    const { near, stream } = accepted(host, 'flood');
    near.resume();
    near.on('error', () => undefined);
    near.write(helloFrame({ epoch: NO_EPOCH, attempt: 1, arrived: 0, consumed: 0 }));
    const data = Buffer.concat([dataHeader(256 * 1024), Buffer.alloc(256 * 1024)]);
    for (let at = 0; at < 20 && stream?.destroyed === false; at += 1) {
      if (!near.write(data)) await Promise.race([once(near, 'drain'), closed(near)]);
    }
    if (stream?.destroyed === false) await closed(stream);
    expect(stream?.errored).toMatchObject({ code: 'protocol' });
  });
});
