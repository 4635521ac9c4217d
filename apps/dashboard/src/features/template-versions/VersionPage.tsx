import { Badge, Button, Group, Skeleton, Stack, Tabs } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { isJobActive } from '@berth/domain';
import { IconCode } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { VERSION_TABS } from '../../app/template-tabs.ts';
import { trpc } from '../../api/trpc.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { TabRow } from '../../ui/TabRow.tsx';
import { BuildLog } from '../builds/BuildLog.tsx';
import { Readme } from '../templates/ReadmeTab.tsx';
import { ChangesTab } from '../template-files/ChangesTab.tsx';
import { FilesTab } from '../template-files/FilesTab.tsx';
import { templateTitle } from '../templates/template-name.ts';
import { TemplateCrumbs } from '../templates/TemplateCrumbs.tsx';
import { useTemplateRights } from '../templates/use-template-rights.ts';
import { usePromote } from './use-version-change.ts';
import { VersionMenu } from './VersionMenu.tsx';
import { VersionOverview } from './VersionOverview.tsx';
import { VersionParameters } from './VersionParameters.tsx';
import { VersionVariables } from './VersionVariables.tsx';
import type { Version } from './version-words.ts';
import { VersionFailure } from './VersionFailure.tsx';

const POLL_MS = 2000;

/** One version of a template for ever: its import, what a workspace of it asks for, and what it is made of. */
export function VersionPage(): React.JSX.Element {
  const {
    organization,
    name,
    version: versionName,
  } = useParams({ from: '/session/shell/templates/$organization/$name/versions/$version' });
  const template = useQuery(trpc.templates.getByName.queryOptions({ organization, templatename: name }));
  const version = useQuery(
    trpc.templateVersions.getByNames.queryOptions(
      { organization, templatename: name, templateversionname: versionName },
      { refetchInterval: (query) => (query.state.data?.job.completed_at === null ? POLL_MS : false) },
    ),
  );
  if (template.data !== undefined && version.data !== undefined) {
    return <LoadedVersion template={template.data} version={version.data} onEnded={() => void version.refetch()} />;
  }
  const failed = [template, version].find(({ isError }) => isError);
  if (failed !== undefined) {
    const at = { organization, name, version: versionName };
    return <VersionFailure templateError={template.error} error={failed.error} at={at} onRetry={() => void failed.refetch()} />;
  }
  return (
    <Page title={versionName}>
      <Stack aria-busy="true">
        <Skeleton height={36} />
        <Skeleton height={300} radius="md" />
      </Stack>
    </Page>
  );
}

function LoadedVersion({ template, version, onEnded }: { template: Template; version: Version; onEnded: () => void }): React.JSX.Element {
  const { tab = 'overview' } = useSearch({ from: '/session/shell/templates/$organization/$name/versions/$version' });
  const navigate = useNavigate({ from: '/templates/$organization/$name/versions/$version' });
  const { may } = useTemplateRights(template);
  const promote = usePromote(version);
  const isActive = version.id === template.active_version_id;
  const isImported = version.job.status === 'succeeded';
  return (
    <Page
      title={version.name}
      documentTitle={`${version.name} of ${template.name}`}
      subtitle={
        <Group gap="sm">
          <TemplateCrumbs organization={template.organization_name} name={template.name} title={templateTitle(template)} isVersion />
          {isActive && <Badge color="green">Active</Badge>}
          {version.archived && <Badge color="gray">Archived</Badge>}
        </Group>
      }
      actions={
        may.update && (
          <>
            {!isActive && !version.archived && isImported && (
              <Button loading={promote.isPending} onClick={() => promote.mutate({ template: template.id, id: version.id })}>
                Promote
              </Button>
            )}
            <ButtonLink
              variant="default"
              leftSection={<IconCode size={16} />}
              to="/templates/$organization/$name/versions/$version/edit"
              params={{ organization: template.organization_name, name: template.name, version: version.name }}
            >
              Edit
            </ButtonLink>
            <VersionMenu
              template={template}
              version={version}
              onRenamed={(name) => navigate({ params: (known) => ({ ...known, version: name }), search: true, replace: true })}
            />
          </>
        )
      }
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => {
          const next = VERSION_TABS.find((known) => known === value);
          void navigate({ search: next === undefined || next === 'overview' ? {} : { tab: next }, replace: true });
        }}
      >
        <TabRow open={tab}>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          {may.update && <Tabs.Tab value="files">Files</Tabs.Tab>}
          {may.update && <Tabs.Tab value="changes">Changes</Tabs.Tab>}
          <Tabs.Tab value="log">Import log</Tabs.Tab>
          {isImported && <Tabs.Tab value="parameters">Parameters</Tabs.Tab>}
          {!isJobActive(version.job.status) && may.update && <Tabs.Tab value="variables">Variables</Tabs.Tab>}
          <Tabs.Tab value="readme">README</Tabs.Tab>
        </TabRow>
        <Tabs.Panel value="overview">
          <VersionOverview template={template} version={version} onEnded={onEnded} />
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <FilesTab version={version} />
        </Tabs.Panel>
        <Tabs.Panel value="changes">
          <ChangesTab template={template} version={version} />
        </Tabs.Panel>
        <Tabs.Panel value="log">
          <BuildLog id={version.id} of="template version" label="Import log" maxHeight={640} onEnded={onEnded} />
        </Tabs.Panel>
        <Tabs.Panel value="parameters">{isImported && <VersionParameters version={version} />}</Tabs.Panel>
        <Tabs.Panel value="variables">
          <VersionVariables version={version} />
        </Tabs.Panel>
        <Tabs.Panel value="readme">
          <section className="surface" style={{ padding: 'var(--mantine-spacing-lg)' }} aria-label="README">
            <Readme text={version.readme} />
          </section>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
