import { expect, it } from 'vitest';
import { Lock } from './lock.ts';

const never = new AbortController().signal;

it('lets one in at a time, in the order of asking, also after one that failed', async () => {
  const lock = new Lock();
  const said: string[] = [];
  const work = (name: string) => async () => {
    said.push(`${name} in`);
    await Promise.resolve();
    said.push(`${name} out`);
    if (name === 'b') throw new Error(name);
  };
  const all = ['a', 'b', 'c'].map((name) => lock.run(never, work(name)));
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(said).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

it('lets go of who will not wait any longer, and nobody behind passes those before', async () => {
  const lock = new Lock();
  const gate = Promise.withResolvers<void>();
  const stop = new AbortController();
  const first = lock.run(never, () => gate.promise);
  const second = lock.run(stop.signal, async () => 'second');
  let isIn = false;
  const third = lock.run(never, async () => {
    isIn = true;
  });
  stop.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  expect(isIn).toBe(false);
  gate.resolve();
  await Promise.all([first, third]);
  expect(isIn).toBe(true);
});
