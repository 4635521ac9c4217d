import { Alert, Anchor, Collapse, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Template } from '@berth/api/contract/templates';
import { dailyCost } from '@berth/domain';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { QuotaDerivation } from '../quota/QuotaDerivation.tsx';
import { hasQuota } from '../quota/quota-words.ts';
import { meQuery } from '../session/session.ts';
import { costVerdict } from './cost-words.ts';

/**
 * What the workspace costs against what its owner may spend, before it is made; why it would be refused, and what to do then. Nothing
 * where no quotas are in use.
 */
export function CostNotice({ template }: { template: Template }): React.JSX.Element | null {
  const { data: me } = useSuspenseQuery(meQuery());
  const [isOpen, { toggle }] = useDisclosure(false);
  const quota = useQuery(trpc.quotas.explain.queryOptions({ organization: template.organization_id, user: 'me' }, { staleTime: 0 }));
  const resources = useQuery(
    trpc.templateVersions.resources.queryOptions({ templateversion: template.active_version_id }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  if (quota.data === undefined || resources.data === undefined) return null;
  const started = resources.data.filter(({ workspace_transition: transition }) => transition === 'start');
  const cost = dailyCost(started.map(({ daily_cost: credits }) => ({ dailyCost: credits })));
  if (cost === 0 && !hasQuota(quota.data)) return null;
  const { fits, sentence } = costVerdict(cost, quota.data);
  const derivation = <QuotaDerivation quota={quota.data} owner={me.username} />;
  if (!fits) {
    return (
      <Alert color="red" title="This workspace does not fit your quota" role="alert">
        <Stack gap="sm">
          <Text size="sm">{sentence} It would be refused.</Text>
          <Text size="sm">
            {quota.data.credits_consumed > 0 && 'Delete a workspace below that you no longer need, or '}
            {quota.data.credits_consumed > 0 ? 'ask' : 'Ask'} whoever manages your groups for a larger allowance.
          </Text>
          {derivation}
        </Stack>
      </Alert>
    );
  }
  return (
    <Stack gap="xs" className="surface" p="md">
      <Text size="sm">
        {sentence}{' '}
        <Anchor component="button" type="button" inherit underline="always" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Hide where that is from' : 'Where is that from?'}
        </Anchor>
      </Text>
      <Collapse expanded={isOpen}>{derivation}</Collapse>
    </Stack>
  );
}
