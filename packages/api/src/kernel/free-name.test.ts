import { expect, it } from 'vitest';
import { freeName } from './free-name.ts';

it('a free name is none of those that are taken', async () => {
  const refused: string[] = [];
  const name = await freeName((names) => {
    refused.push(...names.slice(0, -1));
    return Promise.resolve(refused);
  });
  expect(name).toMatch(/^[a-z]+-[a-z]+$/);
  expect(refused).not.toContain(name);
});

it('where every pair of words is taken, a number tells the name apart', async () => {
  expect(await freeName((names) => Promise.resolve(names), '_')).toMatch(/^[a-z]+_[a-z]+_\d+$/);
});
