import { newId } from '@berth/core';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { createTunnelRegistry } from './tunnel-registry.ts';
import { tunnelStub } from '../testing/tunnel-stub.ts';

const { services } = await createTestApi();

const [a, b, c] = [newId(), newId(), newId()] as const;

describe('the tunnel registry', () => {
  it('holds one tunnel for each agent: a new one closes the last, whose end does not take the new one away', async () => {
    const registry = createTunnelRegistry(services);
    const [first, second] = [tunnelStub(), tunnelStub()];
    registry.add(a, first);
    registry.add(a, second);
    expect(first.isClosed).toBe(true);
    await first.closed;
    expect(registry.get(a)).toBe(second);
    second.close();
    expect(registry.get(a)).toBeUndefined();
  });

  it('wakes everyone who waits for an agent, at once', async () => {
    const registry = createTunnelRegistry(services);
    const waiting = [registry.wait(a, { timeoutMs: 60_000 }), registry.wait(a, { timeoutMs: 60_000 })];
    const tunnel = tunnelStub();
    registry.add(b, tunnelStub());
    registry.add(a, tunnel);
    expect(await Promise.all(waiting)).toEqual([tunnel, tunnel]);
    expect(await registry.wait(a, { timeoutMs: 0 })).toBe(tunnel);
  });

  it('answers nothing when the time is over or the waiter left', async () => {
    const registry = createTunnelRegistry(services);
    const abort = new AbortController();
    const left = registry.wait(a, { timeoutMs: 60_000, signal: abort.signal });
    abort.abort();
    expect(await left).toBeUndefined();
    expect(await registry.wait(a, { timeoutMs: 1 })).toBeUndefined();
  });

  it('closes all and takes no more once it is closed', async () => {
    const registry = createTunnelRegistry(services);
    const [open, late] = [tunnelStub(), tunnelStub()];
    registry.add(a, open);
    const waiting = registry.wait(b, { timeoutMs: 60_000 });
    await registry.closeAll();
    registry.add(c, late);
    expect([open.isClosed, late.isClosed, await waiting]).toEqual([true, true, undefined]);
  });
});
