import { Alert } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { meQuery } from '../session/session.ts';
import { QuotaDerivation } from './QuotaDerivation.tsx';
import { hasQuota } from './quota-words.ts';

/** Before a workspace is made: what is left of the quota of its organization. Nothing where no quotas are in use. */
export function QuotaNotice({ template }: { template: Template }): React.JSX.Element | null {
  const { data: me } = useSuspenseQuery(meQuery());
  const quota = useQuery(trpc.quotas.explain.queryOptions({ organization: template.organization_id, user: 'me' }));
  if (quota.data === undefined || !hasQuota(quota.data)) return null;
  const isUsedUp = quota.data.credits_consumed >= quota.data.budget;
  return (
    <Alert color={isUsedUp ? 'orange' : 'gray'} title={isUsedUp ? 'Your quota is used up' : 'Your quota'}>
      <QuotaDerivation quota={quota.data} owner={me.username} />
    </Alert>
  );
}
