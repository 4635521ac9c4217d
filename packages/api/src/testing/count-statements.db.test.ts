import { expect, it } from 'vitest';
import { createTestApi } from './index.ts';

it('a connection that is new while statements are counted adds none of its own', async () => {
  const { prisma, countStatements } = await createTestApi();
  const together = (): Promise<unknown> => Promise.all([1, 2, 3].map((value) => prisma.$queryRaw`SELECT ${value}::int`));
  expect(await countStatements(together)).toBe(3);
  expect(await countStatements(together)).toBe(3);
});
