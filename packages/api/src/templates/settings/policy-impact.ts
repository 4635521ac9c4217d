import { Prisma } from '@berth/db';
import type { PolicyChange, PolicyEffectKind, SharingLevel } from '@berth/domain';
import { SHARING_LEVELS, policyEffects } from '@berth/domain';
import { z } from 'zod';
import type { UserCall } from '../../kernel/procedures.ts';
import type { ScheduledWorkspace } from '../../schedules/index.ts';
import { scheduleFactsOfTemplate } from '../../schedules/index.ts';
import { findTemplate } from '../judged-template.ts';
import type { AffectedWorkspace, PolicyImpactInput, TemplatePolicyImpact } from './contract.ts';
import { policyChange } from './template-columns.ts';

/** Workspaces that one answer looks at: a bound for its time. */
const EXAMINED_MAX = 5_000;

/**
 * Which workspaces a change of the template would touch and how, by the rules that would do it. Changes nothing. The list is a page of
 * those touched; the counts are of all that were examined.
 */
export async function templatePolicyImpact(call: UserCall, input: PolicyImpactInput): Promise<TemplatePolicyImpact> {
  const { db, services } = call;
  const { template, object } = await findTemplate(db, input.template);
  call.authorize.require(object);
  const change = policyChange(template, input, services.clock.now());
  const found = await scheduleFactsOfTemplate(db, services.settings, { templateId: template.id, afterId: null, limit: EXAMINED_MAX + 1 });
  const examined = found.slice(0, EXAMINED_MAX);
  const others = await readOtherFacts(call, template.id);
  const touched = examined
    .map((workspace) => affected(workspace, others.get(workspace.id), change))
    .filter(({ effects }) => effects.length > 0)
    .toSorted((a, b) => compare(a.owner_name, b.owner_name) || compare(a.workspace_name, b.workspace_name));
  const offset = input.offset ?? 0;
  return {
    count: touched.length,
    examined: examined.length,
    is_complete: found.length <= EXAMINED_MAX,
    counts: countsOf(touched),
    workspaces: touched.slice(offset, offset + input.limit),
  };
}

const OtherFacts = z.object({ id: z.string(), is_active_version: z.boolean(), port_shares: z.array(z.enum(SHARING_LEVELS)) });
type OtherFacts = z.output<typeof OtherFacts>;

/** What a change touches beside the schedule, of the workspaces that have any of it. */
async function readOtherFacts({ db }: UserCall, templateId: string): Promise<ReadonlyMap<string, OtherFacts>> {
  const rows = await db.$queryRaw<unknown[]>(Prisma.sql`
    SELECT w.id::text, coalesce(b.template_version_id = t.active_version_id, true) AS is_active_version, shares.levels AS port_shares
    FROM workspaces w
    JOIN templates t ON t.id = w.template_id
    LEFT JOIN workspace_builds b ON b.id = w.latest_build_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(s.share_level), '{}') AS levels FROM workspace_port_shares s WHERE s.workspace_id = w.id
    ) shares
    WHERE w.template_id = ${templateId}::uuid AND NOT w.deleted
      AND (b.template_version_id <> t.active_version_id OR cardinality(shares.levels) > 0)
    ORDER BY w.id LIMIT ${EXAMINED_MAX}`);
  return new Map(rows.map((row) => OtherFacts.parse(row)).map((row) => [row.id, row]));
}

function affected({ facts, ...workspace }: ScheduledWorkspace, others: OtherFacts | undefined, change: PolicyChange): AffectedWorkspace {
  const portShares: readonly SharingLevel[] = others?.port_shares ?? [];
  const effects = policyEffects({ facts, portShares, isActiveVersion: others?.is_active_version ?? true }, change);
  return {
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    owner_id: workspace.ownerId,
    owner_name: workspace.ownerUsername,
    effects: effects.map(({ before, after, ...effect }) => ({
      ...effect,
      before: before?.toISOString() ?? null,
      after: after?.toISOString() ?? null,
    })),
  };
}

function countsOf(touched: readonly AffectedWorkspace[]): Record<PolicyEffectKind, number> {
  const counts: Record<PolicyEffectKind, number> = {
    autostart: 0,
    autostop: 0,
    must_stop: 0,
    failure_stop: 0,
    dormant: 0,
    delete: 0,
    ttl: 0,
    port_shares: 0,
    outdated: 0,
  };
  for (const { effects } of touched) for (const { kind } of effects) counts[kind] += 1;
  return counts;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
