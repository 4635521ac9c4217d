import { afterAll, describe, expect, it } from 'vitest';
import { containing, sameText } from './same-text.ts';
import { createTestDatabase } from './testing/index.ts';

const { prisma } = await createTestDatabase();
const id = crypto.randomUUID();
const name = String.raw`a_b%c\d`;
await prisma.organization.create({ data: { id, name, displayName: '' } });
afterAll(() => prisma.$disconnect());

describe('a comparison without case', () => {
  it('takes every character for itself', async () => {
    for (const same of [name, name.toUpperCase()]) {
      expect(await prisma.organization.count({ where: { id, name: sameText(same) } }), same).toBe(1);
      expect(await prisma.organization.count({ where: { id, name: containing(same.slice(1, 6)) } }), same).toBe(1);
    }
    for (const other of ['%', '_'.repeat(name.length), '\\', 'axb%c', 'a_b%c', '%\\', 'aXb%c\\d']) {
      expect(await prisma.organization.count({ where: { id, name: sameText(other) } }), other).toBe(0);
    }
    for (const other of ['%%', '__', '\\\\', 'a%d', 'axb']) {
      expect(await prisma.organization.count({ where: { id, name: containing(other) } }), other).toBe(0);
    }
  });
});
