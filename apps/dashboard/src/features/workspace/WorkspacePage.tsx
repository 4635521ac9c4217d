import { Skeleton, Stack, Tabs } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, lazy } from 'react';
import { whenReachable } from '../../api/reachability.ts';
import { WORKSPACE_TABS } from '../../app/workspace-tabs.ts';
import { trpc } from '../../api/trpc.ts';
import { Page } from '../../ui/Page.tsx';
import { BuildHistory } from '../builds/BuildHistory.tsx';
import { useCommands } from '../commands/registry.ts';
import { useWorkspaceCommands } from '../commands/workspace-commands.tsx';
import { AskToStart } from './AskToStart.tsx';
import { Dormant } from './Dormant.tsx';
import { Overview } from './Overview.tsx';
import { Situation } from './Situation.tsx';
import { useLiveWorkspace } from './use-live-workspace.ts';
import { WorkspaceActions } from './WorkspaceActions.tsx';
import { WorkspaceSubtitle } from './WorkspaceSubtitle.tsx';
import { TabRow } from '../../ui/TabRow.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { LoadFailure } from '../../ui/NotFound.tsx';

const ParametersTab = lazy(() =>
  whenReachable(() => import('./parameters/ParametersTab.tsx')).then((module) => ({ default: module.ParametersTab })),
);
const ScheduleTab = lazy(() =>
  whenReachable(() => import('../schedule/ScheduleTab.tsx')).then((module) => ({ default: module.ScheduleTab })),
);
const SettingsTab = lazy(() => whenReachable(() => import('./SettingsTab.tsx')).then((module) => ({ default: module.SettingsTab })));
const SharingTab = lazy(() => whenReachable(() => import('../shares/SharingTab.tsx')).then((module) => ({ default: module.SharingTab })));
const TerminalTab = lazy(() =>
  whenReachable(() => import('../terminal/TerminalTab.tsx')).then((module) => ({ default: module.TerminalTab })),
);

/** One workspace: what it is doing, what it is made of, a shell in it, and what was built before. */
export function WorkspacePage(): React.JSX.Element {
  const { owner, name } = useParams({ from: '/session/shell/@{$owner}/$name' });
  const workspace = useQuery(trpc.workspaces.getByOwnerAndName.queryOptions({ user: owner, workspacename: name }));
  if (workspace.data !== undefined) return <LoadedWorkspace workspace={workspace.data} />;
  if (workspace.isError) {
    const back = <ButtonLink to="/workspaces">Go to workspaces</ButtonLink>;
    return (
      <LoadFailure
        error={workspace.error}
        kind="workspace"
        name={`${owner}/${name}`}
        back={back}
        onRetry={() => void workspace.refetch()}
      />
    );
  }
  return (
    <Page title={name}>
      <Stack aria-busy="true">
        <Skeleton height={54} />
        <Skeleton height={36} />
        <Skeleton height={260} />
      </Stack>
    </Page>
  );
}

function LoadedWorkspace({ workspace }: { workspace: Workspace }): React.JSX.Element {
  useLiveWorkspace(workspace.id);
  const commands = useWorkspaceCommands();
  useCommands(() => ({ title: workspace.name, commands: [...commands.actions(workspace), ...commands.tabs(workspace)] }));
  const { tab = 'overview' } = useSearch({ from: '/session/shell/@{$owner}/$name' });
  const navigate = useNavigate({ from: '/@{$owner}/$name' });
  const isDeleted = workspace.latest_build.status === 'deleted';
  return (
    <Page
      title={workspace.name}
      documentTitle={`${workspace.owner_name}/${workspace.name}`}
      subtitle={<WorkspaceSubtitle workspace={workspace} />}
      actions={<WorkspaceActions workspace={workspace} />}
    >
      <AskToStart workspace={workspace} />
      <Dormant workspace={workspace} />
      <Situation workspace={workspace} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => {
          const next = WORKSPACE_TABS.find((known) => known === value);
          void navigate({ search: next === undefined || next === 'overview' ? {} : { tab: next }, replace: true });
        }}
      >
        <TabRow open={tab}>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="terminal">Terminal</Tabs.Tab>
          <Tabs.Tab value="builds">Builds</Tabs.Tab>
          {!isDeleted && (
            <>
              <Tabs.Tab value="parameters">Parameters</Tabs.Tab>
              <Tabs.Tab value="sharing">Sharing</Tabs.Tab>
              <Tabs.Tab value="schedule">Schedule</Tabs.Tab>
              <Tabs.Tab value="settings">Settings</Tabs.Tab>
            </>
          )}
        </TabRow>
        <Tabs.Panel value="overview">
          <Overview workspace={workspace} />
        </Tabs.Panel>
        <Tabs.Panel value="terminal">
          <Suspense fallback={<Skeleton height={420} />}>
            <TerminalTab workspace={workspace} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="builds">
          <BuildHistory workspace={workspace} />
        </Tabs.Panel>
        {!isDeleted && (
          <>
            <Tabs.Panel value="parameters">
              <Suspense fallback={<Skeleton height={420} />}>
                <ParametersTab workspace={workspace} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="sharing">
              <Suspense fallback={<Skeleton height={420} />}>
                <SharingTab workspace={workspace} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="schedule">
              <Suspense fallback={<Skeleton height={420} />}>
                <ScheduleTab workspace={workspace} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="settings">
              <Suspense fallback={<Skeleton height={420} />}>
                <SettingsTab workspace={workspace} />
              </Suspense>
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </Page>
  );
}
