import { queryInt, queryList, timestamp, uuid } from '@berth/core';
import { INSIGHTS_INTERVALS, INSIGHTS_SECTIONS, PARAMETER_TYPES } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { TemplateVersionParameterOption } from '../template-versions/contract.ts';

/** Templates that one question may name. */
const TEMPLATES_MAX = 100;

const period = {
  start_time: timestamp().meta({ description: 'A midnight, with the offset that days are meant in.' }),
  end_time: timestamp().meta({ description: 'The midnight after the last day; of a period that goes on, the last or the next full hour.' }),
  template_ids: queryList(uuid(), TEMPLATES_MAX)
    .optional()
    .meta({ description: 'Only these; all whose insights the caller may see when absent.' }),
};

export const DausInput = z.object({
  tz_offset: queryInt(-12, 14).default(0).meta({ description: 'Hours that the days are ahead of UTC.' }),
});
export const InsightsInput = z.object(period);
export type InsightsInput = z.output<typeof InsightsInput>;

export const TemplateInsightsInput = z.object({
  ...period,
  interval: z.enum(INSIGHTS_INTERVALS).default('day').meta({ description: 'Of each interval report; a last week needs six days.' }),
  sections: queryList(z.enum(INSIGHTS_SECTIONS), INSIGHTS_SECTIONS.length)
    .optional()
    .meta({ description: 'What is wanted; both when absent.' }),
});
export type TemplateInsightsInput = z.output<typeof TemplateInsightsInput>;

const reported = {
  start_time: timestamp(),
  end_time: timestamp(),
  template_ids: z.array(uuid()).meta({ description: 'Those that contributed.' }),
};
const templateIds = z.array(uuid());

export const TemplateAppUsage = z
  .object({
    template_ids: templateIds,
    type: z.enum(['builtin', 'app']).meta({ id: 'TemplateAppsType' }),
    display_name: z.string(),
    slug: z.string(),
    icon: z.string(),
    seconds: z.int().meta({ description: 'By all people together.' }),
    times_used: z.int().meta({ description: 'Stretches of half hours without a pause.' }),
  })
  .meta({ id: 'TemplateAppUsage', description: 'How much something was used: an editor, a terminal, an app of a template.' });
export type TemplateAppUsage = z.output<typeof TemplateAppUsage>;

export const TemplateParameterUsage = z
  .object({
    template_ids: templateIds,
    display_name: z.string(),
    name: z.string(),
    type: z.enum(PARAMETER_TYPES),
    description: z.string(),
    options: z.array(TemplateVersionParameterOption),
    values: z
      .array(z.object({ value: z.string(), count: z.int() }).meta({ id: 'TemplateParameterValue' }))
      .meta({ description: 'The hundred that most workspaces had.' }),
  })
  .meta({ id: 'TemplateParameterUsage', description: 'What the workspaces that were started in the period were started with last.' });
export type TemplateParameterUsage = z.output<typeof TemplateParameterUsage>;

const TemplateInsightsReport = z
  .object({
    ...reported,
    active_users: z.int(),
    apps_usage: z.array(TemplateAppUsage),
    parameters_usage: z.array(TemplateParameterUsage),
  })
  .meta({ id: 'TemplateInsightsReport' });
export type TemplateInsightsReport = z.output<typeof TemplateInsightsReport>;

const TemplateInsightsIntervalReport = z
  .object({ ...reported, interval: z.enum(INSIGHTS_INTERVALS).meta({ id: 'InsightsReportInterval' }), active_users: z.int() })
  .meta({ id: 'TemplateInsightsIntervalReport' });
export type TemplateInsightsIntervalReport = z.output<typeof TemplateInsightsIntervalReport>;

export const TemplateInsightsResponse = z
  .object({
    report: TemplateInsightsReport.nullable().meta({ description: 'Null when `sections` leaves it out.' }),
    interval_reports: z.array(TemplateInsightsIntervalReport),
  })
  .meta({ id: 'TemplateInsightsResponse' });
export type TemplateInsightsResponse = z.output<typeof TemplateInsightsResponse>;

const person = { template_ids: templateIds, user_id: uuid(), username: z.string(), avatar_url: z.string() };

export const UserActivityInsightsResponse = z
  .object({
    report: z
      .object({
        ...reported,
        users: z
          .array(z.object({ ...person, seconds: z.int() }).meta({ id: 'UserActivity' }))
          .meta({ description: 'The thousand who were active longest.' }),
      })
      .meta({ id: 'UserActivityInsightsReport' }),
  })
  .meta({ id: 'UserActivityInsightsResponse' });
export type UserActivityInsightsResponse = z.output<typeof UserActivityInsightsResponse>;

export const UserLatencyInsightsResponse = z
  .object({
    report: z
      .object({
        ...reported,
        users: z
          .array(
            z
              .object({
                ...person,
                latency_ms: z
                  .object({ p50: z.number(), p95: z.number() })
                  .meta({ id: 'ConnectionLatency', description: 'Milliseconds of a round trip between the server and the workspace.' }),
              })
              .meta({ id: 'UserLatency' }),
          )
          .meta({ description: 'The thousand with the highest medians.' }),
      })
      .meta({ id: 'UserLatencyInsightsReport' }),
  })
  .meta({ id: 'UserLatencyInsightsResponse' });
export type UserLatencyInsightsResponse = z.output<typeof UserLatencyInsightsResponse>;

const tag = 'Insights';

export const routes = {
  daus: route({
    method: 'GET',
    path: '/insights/daus',
    tag,
    id: 'get-deployment-daus',
    summary: 'Get deployment DAUs',
    description: 'Of all templates whose insights the caller may see.',
    errors: ['not_found'],
  }),
  templates: route({
    method: 'GET',
    path: '/insights/templates',
    tag,
    id: 'get-insights-about-templates',
    summary: 'Get insights about templates',
    errors: ['not_found'],
  }),
  userActivity: route({
    method: 'GET',
    path: '/insights/user-activity',
    tag,
    id: 'get-insights-about-user-activity',
    summary: 'Get insights about user activity',
    errors: ['not_found'],
  }),
  userLatency: route({
    method: 'GET',
    path: '/insights/user-latency',
    tag,
    id: 'get-insights-about-user-latency',
    summary: 'Get insights about user latency',
    errors: ['not_found'],
  }),
};
