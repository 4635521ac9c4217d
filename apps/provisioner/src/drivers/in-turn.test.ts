import { expect, test } from 'vitest';
import { InTurn } from './in-turn.ts';

test('work on one thing is done in turn, also after work that failed; other things do not wait', async () => {
  const turns = new InTurn();
  const order: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const work = (name: string, outcome: () => Promise<void>) => async () => {
    order.push(`${name} begins`);
    await outcome();
    order.push(`${name} ends`);
  };
  const first = turns.run(
    'a',
    work('first', () => gate),
  );
  const second = turns.run(
    'a',
    work('second', () => Promise.reject(new Error('no'))),
  );
  const third = turns.run(
    'a',
    work('third', () => Promise.resolve()),
  );
  await turns.run(
    'b',
    work('other', () => Promise.resolve()),
  );
  expect(order).toEqual(['first begins', 'other begins', 'other ends']);
  open();
  await first;
  await expect(second).rejects.toThrow('no');
  await third;
  expect(order.slice(3)).toEqual(['first ends', 'second begins', 'third begins', 'third ends']);
});
