import { PassThrough } from 'node:stream';
import type { TcpStream } from '@berth/protocol/tunnel';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeWhenIdle } from './idle.ts';
import { tunnelStub } from '../../testing/tunnel-stub.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const IDLE_MS = 60_000;

function stub() {
  const streams: PassThrough[] = [];
  const open = async (): Promise<TcpStream> => {
    const stream = new PassThrough();
    streams.push(stream);
    // Only what every stream has is asked of it here.
    return stream as unknown as TcpStream;
  };
  const tunnel = tunnelStub({ connectTcp: open, connectSsh: open });
  return { tunnel, streams, close: vi.spyOn(tunnel, 'close') };
}

it('a relay that was never used closes after a while', () => {
  const { tunnel, close } = stub();
  closeWhenIdle(tunnel, IDLE_MS);
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(close).toHaveBeenCalledOnce();
});

it('a relay stays while any stream on it is open, and for a while after the last', async () => {
  const { tunnel, streams, close } = stub();
  const relay = closeWhenIdle(tunnel, IDLE_MS);
  await relay.connectTcp(80);
  await relay.connectSsh({ holder: 'ada' });
  await relay.ping().catch(() => undefined);
  vi.advanceTimersByTime(IDLE_MS * 10);
  streams[0]?.destroy();
  await vi.advanceTimersByTimeAsync(IDLE_MS * 10);
  expect(close).not.toHaveBeenCalled();
  streams[1]?.destroy();
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(close).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(close).toHaveBeenCalledOnce();
});
