import { Alert, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { IconCode, IconPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { whenReachable } from '../../api/reachability.ts';
import { parametersOf, searchOf } from '../../app/new-workspace-search.ts';
import { Suspense, lazy } from 'react';
import type { TemplateTab } from '../../app/template-tabs.ts';
import { TEMPLATE_TABS } from '../../app/template-tabs.ts';
import { isKind } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { TabRow } from '../../ui/TabRow.tsx';
import { VersionsTab } from '../template-versions/VersionsTab.tsx';
import { TemplateFailure } from './TemplateFailure.tsx';
import { PermissionsTab } from './PermissionsTab.tsx';
import { PolicyTab } from './PolicyTab.tsx';
import { ReadmeTab } from './ReadmeTab.tsx';
import { SettingsTab } from './SettingsTab.tsx';
import { templateTitle } from './template-name.ts';
import { TemplateIcon } from './TemplateIcon.tsx';
import { organizationOf } from './template-words.ts';
import { useTemplateRights } from './use-template-rights.ts';

/** Those that everybody sees who sees the template. */
const OPEN_TABS: readonly TemplateTab[] = ['readme', 'versions', 'link'];

const TemplateInsights = lazy(() =>
  whenReachable(() => import('../insights/TemplateInsights.tsx')).then((module) => ({ default: module.TemplateInsights })),
);
const OpenInBerthTab = lazy(() =>
  whenReachable(() => import('./OpenInBerthTab.tsx')).then((module) => ({ default: module.OpenInBerthTab })),
);

/** One template: what it is, its versions, who may use it, and the rules that its workspaces live by. */
export function TemplatePage(): React.JSX.Element {
  const { organization, name } = useParams({ from: '/session/shell/templates/$organization/$name' });
  const search = useSearch({ from: '/session/shell/templates/$organization/$name' });
  const template = useQuery(trpc.templates.getByName.queryOptions({ organization, templatename: name }));
  if (template.data !== undefined) return <LoadedTemplate template={template.data} />;
  if (template.isError && isKind(template.error, 'not_found') && name === 'workspace') {
    const { name: workspaceName, ...rest } = search;
    return (
      <Navigate
        replace
        to="/workspaces/new"
        search={{
          template: organization,
          ...(workspaceName === undefined ? {} : { name: workspaceName }),
          ...searchOf(parametersOf(rest)),
        }}
      />
    );
  }
  if (template.isError) {
    return <TemplateFailure name={`${organization}/${name}`} error={template.error} onRetry={() => void template.refetch()} />;
  }
  return (
    <Page title={name}>
      <Stack aria-busy="true">
        <Skeleton height={36} />
        <Skeleton height={300} radius="md" />
      </Stack>
    </Page>
  );
}

function LoadedTemplate({ template }: { template: Template }): React.JSX.Element {
  const { tab = 'readme' } = useSearch({ from: '/session/shell/templates/$organization/$name' });
  const navigate = useNavigate({ from: '/templates/$organization/$name' });
  const { may, isKnown } = useTemplateRights(template);
  const isAllowed = tab === 'insights' ? may.viewInsights : OPEN_TABS.includes(tab) || may.update;
  const params = { organization: template.organization_name, name: template.name };
  return (
    <Page
      title={templateTitle(template)}
      icon={<TemplateIcon icon={template.icon} name={template.name} size={40} />}
      subtitle={
        <>
          {template.description !== '' && <Text inherit>{template.description}</Text>}
          {organizationOf(template)}
          {' · '}
          <AnchorLink inherit to="/workspaces" search={{ q: `template:${template.name}` }}>
            Workspaces
          </AnchorLink>
          {' · '}
          <AnchorLink inherit to="/audit" search={{ q: `resource_type:template resource_id:${template.id}` }}>
            Audit log
          </AnchorLink>
        </>
      }
      actions={
        <Group gap="xs">
          {may.update && (
            <ButtonLink variant="default" leftSection={<IconCode size={16} />} to="/templates/$organization/$name/edit" params={params}>
              Edit
            </ButtonLink>
          )}
          {may.update && (
            <ButtonLink
              variant="default"
              leftSection={<IconUpload size={16} />}
              to="/templates/$organization/$name/new-version"
              params={params}
            >
              New version
            </ButtonLink>
          )}
          <ButtonLink leftSection={<IconPlus size={16} />} to="/workspaces/new" search={{ template: template.id }}>
            New workspace
          </ButtonLink>
        </Group>
      }
    >
      {template.deprecated && (
        <Alert color="orange" title="This template is deprecated">
          {template.deprecation_message} Nobody makes new workspaces from it; those that there are go on.
        </Alert>
      )}
      <Tabs
        // What the address names and the person may not see has no tab that could be open.
        value={isAllowed || !isKnown ? tab : 'readme'}
        keepMounted={false}
        onChange={(value) => {
          const next = TEMPLATE_TABS.find((known) => known === value);
          void navigate({ search: next === undefined || next === 'readme' ? {} : { tab: next }, replace: true });
        }}
      >
        <TabRow open={isAllowed || !isKnown ? tab : 'readme'}>
          <Tabs.Tab value="readme">Overview</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
          {may.viewInsights && <Tabs.Tab value="insights">Insights</Tabs.Tab>}
          <Tabs.Tab value="link">Open in Berth</Tabs.Tab>
          {may.update && (
            <>
              <Tabs.Tab value="permissions">Permissions</Tabs.Tab>
              <Tabs.Tab value="schedule">Schedule</Tabs.Tab>
              <Tabs.Tab value="settings">Settings</Tabs.Tab>
            </>
          )}
        </TabRow>
        <Tabs.Panel value="readme">
          <ReadmeTab template={template} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <VersionsTab template={template} mayChange={may.update} />
        </Tabs.Panel>
        <Tabs.Panel value="insights">
          {may.viewInsights && (
            <Suspense fallback={<Skeleton height={300} radius="md" />}>
              <TemplateInsights template={template} />
            </Suspense>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="link">
          <Suspense fallback={<Skeleton height={300} radius="md" />}>
            <OpenInBerthTab template={template} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="permissions">
          <PermissionsTab template={template} />
        </Tabs.Panel>
        <Tabs.Panel value="schedule">
          <PolicyTab key={template.id} template={template} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsTab key={template.id} template={template} mayDelete={may.delete} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
