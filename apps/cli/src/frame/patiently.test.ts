import { describe, expect, it } from 'vitest';
import { patiently } from './patiently.ts';

const { signal } = new AbortController();
const refused = (kind: string) => Object.assign(new Error(kind), { name: 'TRPCClientError', shape: {}, data: { kind } });

function failing(times: number, error: Error) {
  const state = { calls: 0 };
  const read = async () => {
    state.calls += 1;
    if (state.calls <= times) throw error;
    return 'read';
  };
  return { state, read };
}

describe('reading patiently', () => {
  it('outlives a server that is away for a while', async () => {
    for (const error of [new TypeError('fetch failed'), refused('unavailable'), refused('rate_limited')]) {
      const { state, read } = failing(3, error);
      expect(await patiently(read, { signal, pauseMs: 0 })).toBe('read');
      expect(state.calls).toBe(4);
    }
  });

  it('gives up at last, at once on a refusal, and at Ctrl-C', async () => {
    const away = failing(100, new TypeError('fetch failed'));
    await expect(patiently(away.read, { signal, pauseMs: 0 })).rejects.toThrow('fetch failed');
    expect(away.state.calls).toBe(12);
    const forbidden = failing(100, refused('forbidden'));
    await expect(patiently(forbidden.read, { signal, pauseMs: 0 })).rejects.toThrow('forbidden');
    expect(forbidden.state.calls).toBe(1);
    const stopped = failing(100, new TypeError('fetch failed'));
    await expect(patiently(stopped.read, { signal: AbortSignal.abort(), pauseMs: 0 })).rejects.toThrow('fetch failed');
    expect(stopped.state.calls).toBe(1);
  });
});
