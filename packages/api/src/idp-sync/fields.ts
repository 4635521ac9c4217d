import type { Tx } from '@berth/db';
import { claimFields } from '@berth/domain';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { organizationOfSync, syncObject } from './places.ts';

/** The last sign-ins that are looked at, and the names that are answered: more help nobody to choose. */
const IDENTITIES_MAX = 1000;
const FIELDS_MAX = 1000;

const Row = z.object({ mergedClaims: z.record(z.string(), z.unknown()) });

/** The claims that settings of the site can refer to, in order. */
export async function availableFields(call: UserCall): Promise<string[]> {
  call.authorize.require(syncObject(null), { sitewide: true });
  return seenFields(call.db, {});
}

/** The claims that came with the members of one organization, in order. */
export async function organizationFields(call: UserCall, input: { organization: string }): Promise<string[]> {
  const { id } = await organizationOfSync(call, input.organization);
  return seenFields(call.db, { memberships: { some: { organizationId: id } } });
}

async function seenFields(db: Tx, user: NonNullable<Parameters<Tx['user']['findFirst']>[0]>['where']): Promise<string[]> {
  const rows = await db.userIdentity.findMany({
    where: { user: { ...user, deleted: false } },
    select: { mergedClaims: true },
    orderBy: { updatedAt: 'desc' },
    take: IDENTITIES_MAX,
  });
  const fields = new Set(
    rows.flatMap((row) => {
      const parsed = Row.safeParse(row);
      return parsed.success ? claimFields(parsed.data.mergedClaims) : [];
    }),
  );
  return [...fields].toSorted().slice(0, FIELDS_MAX);
}
