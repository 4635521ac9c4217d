import { Stack } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useNow } from '../../ui/clock.ts';
import { duration } from '../../ui/relative-time.ts';
import { InsightsReport } from './InsightsReport.tsx';
import { periodOf } from './period.ts';
import { RangeControls } from './RangeControls.tsx';

/** How a template is used. The period stands in the address. */
export function TemplateInsights({ template }: { template: Template }): React.JSX.Element {
  const search = useSearch({ from: '/session/shell/templates/$organization/$name' });
  const navigate = useNavigate({ from: '/templates/$organization/$name' });
  const now = new Date(useNow());
  const period = periodOf(search, now);
  const interval = search.interval ?? 'day';
  return (
    <Stack>
      <RangeControls
        range={period}
        interval={interval}
        now={now}
        onChange={(choice) => void navigate({ search: { tab: 'insights', ...choice }, replace: true })}
      />
      <InsightsReport
        period={period}
        interval={interval}
        templates={[template.id]}
        facts={[
          ['A start takes', buildTime(template, 'start')],
          ['A stop takes', buildTime(template, 'stop')],
        ]}
      />
    </Stack>
  );
}

/** "0.4 s, one in twenty over 2.1 s"; of all that were ever measured. */
function buildTime({ build_time_stats: stats }: Template, transition: 'start' | 'stop'): string {
  const { p50 = null, p95 = null } = stats[transition] ?? {};
  if (p50 === null) return 'not measured yet';
  return p95 === null || duration(p95) === duration(p50) ? duration(p50) : `${duration(p50)}; one in twenty over ${duration(p95)}`;
}
