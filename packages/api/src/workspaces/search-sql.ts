import { isUuid } from '@berth/core';
import { Prisma } from '@berth/db';
import type { WorkspaceSearch, WorkspaceStatus } from '@berth/domain';
import { buildFactsOfStatus, ME } from '@berth/domain';
import { agentStatusSql } from '../agents/agent-status-sql.ts';
import { jobStatusSql } from '../provisioner-jobs/index.ts';

type Parameters = NonNullable<WorkspaceSearch['parameters']>;

export interface WorkspaceSearchSql {
  /** What the condition reads besides the workspace; each finds exactly one row. */
  readonly joins: Prisma.Sql;
  /** Null: the search asks for nothing. */
  readonly condition: Prisma.Sql | null;
}

const ORGANIZATION = Prisma.sql`JOIN organizations org ON org.id = w.organization_id`;
const TEMPLATE = Prisma.sql`JOIN templates t ON t.id = w.template_id`;
const BUILD = Prisma.sql`JOIN workspace_builds b ON b.id = w.latest_build_id`;
const JOB = Prisma.sql`JOIN provisioner_jobs j ON j.id = b.job_id`;

interface SearchOptions {
  readonly callerId: string;
  readonly now: Date;
  /** What the order reads besides the workspace. */
  readonly orderReads?: 'template' | 'job' | undefined;
}

/** A search as SQL, given the workspace as `w`. */
export function searchSql(search: WorkspaceSearch, options: SearchOptions): WorkspaceSearchSql {
  const { template, status, hasAgent, outdated, organization, parameters } = search;
  const { orderReads } = options;
  const asksJob = orderReads === 'job' || (status !== undefined && status !== 'running');
  const asksTemplate = orderReads === 'template' || template !== undefined || outdated !== undefined;
  const asksBuild = asksJob || [hasAgent, outdated, parameters].some((asked) => asked !== undefined);
  const joins = [
    ...(organization === undefined ? [] : [ORGANIZATION]),
    ...(asksTemplate ? [TEMPLATE] : []),
    ...(asksBuild ? [BUILD] : []),
    ...(asksJob ? [JOB] : []),
  ];
  return { joins: joins.length === 0 ? Prisma.empty : Prisma.join(joins, ' '), condition: conditionSql(search, options) };
}

function conditionSql(search: WorkspaceSearch, { callerId, now }: SearchOptions): Prisma.Sql | null {
  const { name, owner, template, ids, status, hasAgent, dormant, lastUsedBefore, lastUsedAfter, outdated, organization, parameters } =
    search;
  const conditions: Prisma.Sql[] = [];
  if (name !== undefined) conditions.push(Prisma.sql`strpos(lower(w.name), lower(${name})) > 0`);
  if (owner !== undefined) {
    conditions.push(
      owner.toLowerCase() === ME
        ? Prisma.sql`w.owner_id = ${callerId}::uuid`
        : // Who has a workspace is not deleted, so the index of the living names finds them.
          Prisma.sql`w.owner_id = (SELECT o.id FROM users o WHERE lower(o.username) = lower(${owner}) AND NOT o.deleted)`,
    );
  }
  if (template !== undefined) conditions.push(Prisma.sql`lower(t.name) = lower(${template})`);
  if (ids !== undefined) conditions.push(Prisma.sql`w.id = ANY(${[...ids]}::uuid[])`);
  if (status !== undefined) conditions.push(statusCondition(status));
  if (hasAgent !== undefined) {
    conditions.push(Prisma.sql`b.transition = 'start' AND EXISTS (
      SELECT 1 FROM workspace_resources r JOIN workspace_agents a ON a.resource_id = r.id
      WHERE r.job_id = b.job_id AND (${agentStatusSql(now)}) = lower(${hasAgent}))`);
  }
  if (dormant === true) conditions.push(Prisma.sql`w.dormant_at IS NOT NULL`);
  if (lastUsedBefore !== undefined) conditions.push(Prisma.sql`w.last_used_at <= ${lastUsedBefore.toISOString()}::timestamptz`);
  if (lastUsedAfter !== undefined) conditions.push(Prisma.sql`w.last_used_at >= ${lastUsedAfter.toISOString()}::timestamptz`);
  if (outdated !== undefined) conditions.push(Prisma.sql`(b.template_version_id <> t.active_version_id) = ${outdated}::boolean`);
  if (organization !== undefined) {
    conditions.push(
      isUuid(organization) ? Prisma.sql`w.organization_id = ${organization}::uuid` : Prisma.sql`lower(org.name) = lower(${organization})`,
    );
  }
  if (parameters !== undefined) conditions.push(...parameterConditions(parameters));
  return conditions.length === 0 ? null : Prisma.join(conditions, ' AND ');
}

/** What runs is marked as such; for every other status the job of the latest build is asked. */
function statusCondition(status: WorkspaceStatus): Prisma.Sql {
  if (status === 'running') return Prisma.sql`w.is_running`;
  const facts = buildFactsOfStatus(status);
  const ofJob = Prisma.sql`NOT w.is_running AND ${jobStatusSql('j')} = ${facts.jobStatus}`;
  return facts.transition === null ? ofJob : Prisma.sql`${ofJob} AND b.transition = ${facts.transition}`;
}

/** Any of the bare names, and any of the pairs. */
function parameterConditions(parameters: Parameters): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  const bare = parameters.filter(({ value }) => value === null).map(({ name }) => name.toLowerCase());
  const pairs = parameters.filter((pair): pair is { name: string; value: string } => pair.value !== null);
  if (bare.length > 0) {
    conditions.push(Prisma.sql`EXISTS (
      SELECT 1 FROM workspace_build_parameters p WHERE p.build_id = b.id AND lower(p.name) = ANY(${bare}::text[]))`);
  }
  if (pairs.length > 0) {
    const names = pairs.map(({ name }) => name.toLowerCase());
    const values = pairs.map(({ value }) => value);
    conditions.push(Prisma.sql`EXISTS (
      SELECT 1 FROM workspace_build_parameters p JOIN unnest(${names}::text[], ${values}::text[]) AS wanted(name, value)
        ON lower(p.name) = wanted.name AND p.value = wanted.value
      WHERE p.build_id = b.id)`);
  }
  return conditions;
}
