import { Prisma } from '@berth/db';
import type { Tx } from '@berth/db';
import { PROVISIONER_TYPES, unservedReason } from '@berth/domain';
import type { ProvisionerType } from '@berth/domain';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import { instantSql } from '../kernel/wire-sql.ts';
import { DAEMON_STALE_MS } from './lease.ts';
import { fitsSql } from './queue-sql.ts';
import { UNTAGGED } from './tags-sql.ts';

/** `is_served` and `has_driver` of `need` (organization_id, provisioner, tags), as two columns; a null organization stands for any. */
export function coverageSql({ clock }: Services): Prisma.Sql {
  const heardSince = instantSql(new Date(clock.now().getTime() - DAEMON_STALE_MS));
  const connected = (fits: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
    SELECT 1 FROM provisioner_daemons d
    WHERE d.organization_id = coalesce(need.organization_id, d.organization_id) AND d.last_seen_at >= ${heardSince} AND ${fits})`;
  return Prisma.sql`${connected(fitsSql('need'))} AS is_served,
    ${connected(Prisma.sql`need.provisioner = ANY (d.provisioners)`)} AS has_driver`;
}

const Rows = z.array(z.object({ provisioner: z.enum(PROVISIONER_TYPES), is_served: z.boolean(), has_driver: z.boolean() }));

/**
 * Why no connected provisioner of the organization, or of any when it is null, would take an import without tags: a sentence for each
 * driver, empty for those that are served.
 */
export async function readUnservedReasons(
  { db, services }: { readonly db: Tx; readonly services: Services },
  organizationId: string | null,
): Promise<ReadonlyMap<ProvisionerType, string>> {
  const rows = Rows.parse(
    await db.$queryRaw(Prisma.sql`
      SELECT need.provisioner, ${coverageSql(services)}
      FROM (
        SELECT provisioner, ${organizationId}::uuid AS organization_id, ${UNTAGGED} AS tags
        FROM unnest(${[...PROVISIONER_TYPES]}::text[]) AS types (provisioner)
      ) need`),
  );
  return new Map(
    rows.map(({ provisioner, is_served: isServed, has_driver: hasDriver }) => [
      provisioner,
      unservedReason(provisioner, { isServed, hasDriver }),
    ]),
  );
}
