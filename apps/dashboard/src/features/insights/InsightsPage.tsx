import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { useNow } from '../../ui/clock.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { InsightsReport } from './InsightsReport.tsx';
import { periodOf } from './period.ts';
import { RangeControls } from './RangeControls.tsx';

/** How the whole deployment is used. The period stands in the address. */
export function InsightsPage(): React.JSX.Element {
  const search = useSearch({ from: '/session/shell/admin/insights' });
  const navigate = useNavigate({ from: '/admin/insights' });
  const templates = useQuery(trpc.templates.list.queryOptions({}));
  const now = new Date(useNow());
  const period = periodOf(search, now);
  const interval = search.interval ?? 'day';
  return (
    <Page title="Insights" subtitle="Who used workspaces, of whatever template, for how long and for what.">
      {templates.data?.length === 0 ? (
        <EmptyState
          icon={<IconChartBar size={24} />}
          title="There is nothing to use yet"
          action={<ButtonLink to="/templates/new">New template</ButtonLink>}
        >
          Use is counted by template, and there is none.
        </EmptyState>
      ) : (
        <>
          <RangeControls
            range={period}
            interval={interval}
            now={now}
            onChange={(choice) => void navigate({ search: choice, replace: true })}
          />
          <InsightsReport period={period} interval={interval} />
        </>
      )}
    </Page>
  );
}
