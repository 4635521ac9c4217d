import { Prisma } from '@berth/db';

/** Tags that ask for nothing in particular: such jobs go only to daemons that have no tags of their own. */
export const UNTAGGED = Prisma.sql`'{"scope": "organization", "owner": ""}'::jsonb`;

/** Whether a daemon with `daemonTags` may take a job with `jobTags`: `tagsMatch` of the domain, in SQL. */
export function tagsMatchSql(jobTags: Prisma.Sql, daemonTags: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${daemonTags} @> ${jobTags} AND (${jobTags} <> ${UNTAGGED} OR ${daemonTags} = ${UNTAGGED}))`;
}
