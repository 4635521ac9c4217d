import { newId } from '@berth/core';
import { Prisma } from '@berth/db';
import { createTestDatabase } from '@berth/db/testing';
import type { ListScope } from '@berth/rbac';
import { scopeAllows } from '@berth/rbac';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scopeSql } from './scope-sql.ts';

const { prisma } = await createTestDatabase();

const organizations = [newId(), newId()];
const users = [newId(), newId()];
const groups = [newId(), newId()];
const ids = [newId(), newId()];
const ACTIONS = ['read', 'update', '*'];

const some = <T>(values: readonly T[]) => fc.subarray([...values]);
const acl = (principals: readonly string[]) => fc.dictionary(fc.constantFrom(...principals), some(ACTIONS), { maxKeys: 3 });
const row = fc.record({
  id: fc.constantFrom(...ids),
  organizationId: fc.option(fc.constantFrom(...organizations)),
  owner: fc.option(fc.constantFrom(...users)),
  userAcl: acl(users),
  groupAcl: acl([...groups, ...organizations]),
});
const scope: fc.Arbitrary<ListScope> = fc.record({
  everything: fc.boolean(),
  organizationIds: some(organizations),
  ownerIn: fc.option(fc.record({ ownerId: fc.constantFrom(...users), organizationIds: some(organizations) })),
  acl: fc.option(
    fc.record({ userId: fc.constantFrom(...users), actions: some(ACTIONS), organizationIds: some(organizations), groupIds: some(groups) }),
  ),
  onlyIds: fc.option(some(ids)),
});

describe('scopeSql', () => {
  it('passes exactly the rows that the rule passes', async () => {
    await fc.assert(
      fc.asyncProperty(scope, fc.array(row, { minLength: 1, maxLength: 20 }), async (given, rows) => {
        const json = JSON.stringify(rows.map((item, index) => ({ ...item, index })));
        const condition = scopeSql(given, {
          id: Prisma.sql`r.id`,
          organization: Prisma.sql`r."organizationId"`,
          owner: Prisma.sql`r.owner`,
          userAcl: Prisma.sql`r."userAcl"`,
          groupAcl: Prisma.sql`r."groupAcl"`,
        });
        const passed = await prisma.$queryRaw<{ index: number }[]>(Prisma.sql`
          SELECT r.index FROM jsonb_to_recordset(${json}::jsonb)
            AS r(index int, id uuid, "organizationId" uuid, owner uuid, "userAcl" jsonb, "groupAcl" jsonb)
          WHERE ${condition} ORDER BY r.index`);
        const expected = rows.flatMap((item, index) => (scopeAllows(given, item) ? [index] : []));
        expect(passed.map(({ index }) => index)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });
});
