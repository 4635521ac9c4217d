import { Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { TabRow } from '../../ui/TabRow.tsx';
import { IconLock } from '@tabler/icons-react';
import { useSiteRights } from '../access/use-permissions.ts';
import { NewFromExample } from './NewFromExample.tsx';
import { NewFromFiles } from './NewFromFiles.tsx';
import { startersQuery } from './starters-query.ts';

/** A new template: from one that ships with Berth, or from files of one's own. */
export function NewTemplatePage(): React.JSX.Element {
  const { example, from } = useSearch({ from: '/session/shell/templates/new' });
  const navigate = useNavigate({ from: '/templates/new' });
  const { may, isKnown } = useSiteRights();
  const organizations = useQuery(trpc.organizations.list.queryOptions({}));
  const examples = useQuery({ ...startersQuery(), enabled: may.createTemplates });
  const wasDenied = isKnown && !may.createTemplates;
  const failed = [organizations, examples].find(({ isError }) => isError);
  return (
    <Page title="New template" subtitle="What a workspace is made of, as files: a berth.yaml, or Terraform.">
      {wasDenied ? (
        <EmptyState icon={<IconLock size={24} />} title="You may not add templates">
          Ask a template administrator.
        </EmptyState>
      ) : failed !== undefined ? (
        <ErrorNotice error={failed.error} title="The starter templates could not be loaded" onRetry={() => void failed.refetch()} />
      ) : examples.data === undefined || organizations.data === undefined ? (
        <Skeleton height={320} radius="md" maw={640} />
      ) : (
        <Tabs
          value={from ?? 'starter'}
          keepMounted={false}
          onChange={(value) => void navigate({ search: value === 'files' ? { from: 'files' } : {}, replace: true })}
        >
          <TabRow open={from ?? 'starter'}>
            <Tabs.Tab value="starter">From a starter</Tabs.Tab>
            <Tabs.Tab value="files">From your files</Tabs.Tab>
          </TabRow>
          <Tabs.Panel value="starter">
            <NewFromExample key={example ?? ''} examples={examples.data} organizations={organizations.data} wanted={example ?? ''} />
          </Tabs.Panel>
          <Tabs.Panel value="files">
            <NewFromFiles organizations={organizations.data} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}
