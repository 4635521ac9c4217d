import { Box, Center, Loader, Stack, Text } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { useLiveWorkspace } from '../workspace/use-live-workspace.ts';
import { terminalChoice } from './terminal-choice.ts';
import { WorkspaceTerminals } from './WorkspaceTerminals.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { LoadFailure } from '../../ui/NotFound.tsx';

/** Nothing but shells, over the whole window. */
export function TerminalPage(): React.JSX.Element {
  const { owner, name } = useParams({ from: '/session/@{$owner}/$name/terminal' });
  useDocumentTitle(`${name} · Terminal`);
  const workspace = useQuery(trpc.workspaces.getByOwnerAndName.queryOptions({ user: owner, workspacename: name }));
  return (
    <Box component="main" h="100dvh">
      {workspace.data !== undefined ? (
        <Screen workspace={workspace.data} />
      ) : (
        <Center h="100%">
          {workspace.isError ? (
            <LoadFailure
              error={workspace.error}
              kind="workspace"
              name={`${owner}/${name}`}
              back={<ButtonLink to="/workspaces">Go to workspaces</ButtonLink>}
              onRetry={() => void workspace.refetch()}
            />
          ) : (
            <Loader color="gray" />
          )}
        </Center>
      )}
    </Box>
  );
}

function Screen({ workspace }: { workspace: Workspace }): React.JSX.Element {
  useLiveWorkspace(workspace.id);
  const search = useSearch({ from: '/session/@{$owner}/$name/terminal' });
  const navigate = useNavigate({ from: '/@{$owner}/$name/terminal' });
  const { agent, obstacle } = terminalChoice(workspace, search.agent);
  if (agent === undefined || obstacle !== '') {
    return (
      <Center h="100%">
        <Stack align="center">
          <Text role="status">{obstacle}</Text>
          <ButtonLink to="/@{$owner}/$name" params={{ owner: workspace.owner_name, name: workspace.name }} variant="default">
            Go to the workspace
          </ButtonLink>
        </Stack>
      </Center>
    );
  }
  return (
    <WorkspaceTerminals
      key={agent.id}
      workspace={workspace}
      agent={agent}
      address={search}
      onAddress={(address) => void navigate({ search: { agent: search.agent, ...address }, replace: true })}
      isWindow
    />
  );
}
