import { Prisma } from '@berth/db';
import type { InsightsInterval } from '@berth/domain';
import { z } from 'zod';
import { activeUsersSql } from '../activity/index.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { appsUsage } from './apps-usage.ts';
import type {
  TemplateInsightsInput,
  TemplateInsightsIntervalReport,
  TemplateInsightsReport,
  TemplateInsightsResponse,
} from './contract.ts';
import { parametersUsage } from './parameters-usage.ts';
import type { Period } from './period.ts';
import { atOffset, intervalsOf, readPeriod } from './period.ts';
import type { TemplateCondition } from './seen-templates.ts';
import { seenTemplates } from './seen-templates.ts';
import { allPlacesSql, withinPeriod } from './usage-sql.ts';

/** Who used workspaces in a period, by what, what they were started with, and how many people there were in each day or week of it. */
export async function templateInsights(call: UserCall, input: TemplateInsightsInput): Promise<TemplateInsightsResponse> {
  const period = readPeriod(input, call.services.clock.now());
  const intervals = intervalsOf(period, input.interval);
  const templates = await seenTemplates(call, input.template_ids);
  const wants = (section: 'report' | 'interval_reports'): boolean =>
    input.sections === undefined || input.sections.length === 0 || input.sections.includes(section);
  const [report, interval_reports] = await Promise.all([
    wants('report') ? reportOf(call, { input, period, templates }) : null,
    wants('interval_reports') ? intervalReports(call, { interval: input.interval, intervals, period, templates }) : [],
  ]);
  return { report, interval_reports };
}

interface ReportOf {
  readonly input: TemplateInsightsInput;
  readonly period: Period;
  readonly templates: TemplateCondition;
}

const Active = z.array(z.object({ template_ids: z.array(z.string()), active_users: z.int() })).length(1);

async function reportOf({ db }: UserCall, { input, period, templates }: ReportOf): Promise<TemplateInsightsReport> {
  const used = Prisma.sql`${withinPeriod(period)} AND ${templates(Prisma.sql`template_id`)}`;
  const [active, apps_usage, parameters_usage] = await Promise.all([
    db.$queryRaw(Prisma.sql`
      SELECT ${activeUsersSql(used)} AS active_users, ${allPlacesSql(Prisma.sql`template_usage_buckets WHERE ${used}`)} AS template_ids`),
    appsUsage(db, { period, templates }),
    parametersUsage(db, { period, templates }),
  ]);
  const { start_time, end_time } = input;
  const { template_ids = [], active_users = 0 } = Active.parse(active)[0] ?? {};
  return { start_time, end_time, template_ids, active_users, apps_usage, parameters_usage };
}

interface IntervalReports {
  readonly interval: InsightsInterval;
  readonly intervals: readonly { readonly start: Date; readonly end: Date }[];
  readonly period: Period;
  readonly templates: TemplateCondition;
}

const Intervals = z.array(z.object({ template_ids: z.array(z.string()), active_users: z.int() }));

async function intervalReports({ db }: UserCall, wanted: IntervalReports): Promise<TemplateInsightsIntervalReport[]> {
  const { interval, intervals, period, templates } = wanted;
  const starts = intervals.map(({ start }) => start.toISOString());
  const ends = intervals.map(({ end }) => end.toISOString());
  const used = Prisma.sql`start_time >= cut.since AND start_time < cut.until AND ${templates(Prisma.sql`template_id`)}`;
  const rows = await db.$queryRaw(Prisma.sql`
    SELECT ${activeUsersSql(used)} AS active_users, ${allPlacesSql(Prisma.sql`template_usage_buckets WHERE ${used}`)} AS template_ids
    FROM unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) WITH ORDINALITY AS cut(since, until, number)
    ORDER BY cut.number`);
  const found = Intervals.parse(rows);
  return intervals.map(({ start, end }, index) => ({
    start_time: atOffset(start, period.offsetMs),
    end_time: atOffset(end, period.offsetMs),
    interval,
    ...(found[index] ?? { template_ids: [], active_users: 0 }),
  }));
}
