import { newId } from '@berth/core';
import { Prisma } from '@berth/db';
import { createTestDatabase } from '@berth/db/testing';
import { agentStatus } from '@berth/domain';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { agentStatusSql } from './agent-status-sql.ts';

const { prisma } = await createTestDatabase();

const NOW = new Date('2026-06-01T12:00:00Z');
const instant = fc
  .constantFrom(0, 1, 29_999, 30_000, 30_001, 119_999, 120_000, 120_001, 600_000)
  .map((ago) => new Date(NOW.getTime() - ago));
const agent = fc.record({
  createdAt: instant,
  firstConnectedAt: fc.option(instant),
  lastConnectedAt: fc.option(instant),
  disconnectedAt: fc.option(instant),
  connectionTimeoutSeconds: fc.constantFrom(0, 120),
});

it('SQL says the same of an agent as the domain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(agent, { minLength: 1, maxLength: 50 }), async (agents) => {
      const json = JSON.stringify(
        agents.map((item, index) => ({
          index,
          id: newId(),
          created_at: item.createdAt,
          first_connected_at: item.firstConnectedAt,
          last_connected_at: item.lastConnectedAt,
          disconnected_at: item.disconnectedAt,
          connection_timeout_seconds: item.connectionTimeoutSeconds,
        })),
      );
      const rows = await prisma.$queryRaw<{ status: string }[]>(Prisma.sql`
        SELECT ${agentStatusSql(NOW)} AS status FROM jsonb_to_recordset(${json}::jsonb) AS a(index int, created_at timestamptz,
          first_connected_at timestamptz, last_connected_at timestamptz, disconnected_at timestamptz, connection_timeout_seconds int)
        ORDER BY a.index`);
      expect(rows.map(({ status }) => status)).toEqual(agents.map((item) => agentStatus(item, NOW)));
    }),
    { numRuns: 40 },
  );
});
