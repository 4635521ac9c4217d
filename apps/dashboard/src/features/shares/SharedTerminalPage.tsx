import { Alert, Box, Center, Group, Loader, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReceivedShare } from '@berth/api/contract/workspace-shares';
import { IconEye, IconShare } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { When } from '../../ui/When.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Terminals } from '../terminal/Terminals.tsx';
import { TerminalView } from '../terminal/TerminalView.tsx';
import { useFontSize } from '../terminal/use-font-size.ts';
import { useReceivedShares } from './use-received-shares.ts';

/** A terminal of somebody else, over the whole window: to work in, or to look on at. */
export function SharedTerminalPage(): React.JSX.Element {
  const { share: id } = useParams({ from: '/session/shared/$share' });
  const search = useSearch({ from: '/session/shared/$share' });
  const received = useReceivedShares();
  const share = received.data?.shares.find((candidate) => candidate.id === id);
  const agent = share?.agents.find(({ name }) => name === search.agent) ?? share?.agents[0];
  useDocumentTitle(`${share?.workspace.name ?? 'Shared'} · Terminal`);
  if (received.data === undefined) {
    return (
      <Center component="main" h="100dvh">
        {received.isError ? (
          <ErrorNotice error={received.error} title="The share could not be loaded" onRetry={() => void received.refetch()} />
        ) : (
          <Loader color="gray" />
        )}
      </Center>
    );
  }
  if (share === undefined) {
    const back = <ButtonLink to="/shared">See what is shared with you</ButtonLink>;
    return (
      <Center component="main" h="100dvh">
        <NotFound kind="share" name={id} back={back} />
      </Center>
    );
  }
  if (agent === undefined || share.access === 'apps') {
    return (
      <Center component="main" h="100dvh">
        <EmptyState
          icon={<IconShare size={24} />}
          title="No terminal available now"
          isPage
          action={<ButtonLink to="/shared">See what is shared with you</ButtonLink>}
        >
          It opens when {share.workspace.owner_name} starts the workspace.
        </EmptyState>
      </Center>
    );
  }
  return <SharedTerminal key={agent.id} share={share} agentId={agent.id} onEnded={() => void received.refetch()} />;
}

interface SharedTerminalProps {
  readonly share: ReceivedShare;
  readonly agentId: string;
  readonly onEnded: () => void;
}

function SharedTerminal({ share, agentId, onEnded }: SharedTerminalProps): React.JSX.Element {
  const search = useSearch({ from: '/session/shared/$share' });
  const navigate = useNavigate({ from: '/shared/$share' });
  const { workspace, terminal_id: terminal } = share;
  return (
    <Stack component="main" h="100dvh" gap={0}>
      <Banner share={share} />
      <Box flex={1} mih={0} pos="relative">
        {terminal === null ? (
          <Terminals
            agentId={agentId}
            workspaceName={workspace.name}
            commandOf={() => ''}
            address={search}
            onRefused={onEnded}
            onAddress={(address) => void navigate({ search: { agent: search.agent, ...address }, replace: true })}
          />
        ) : (
          <Watched agentId={agentId} terminal={terminal} workspaceName={workspace.name} onEnded={onEnded} />
        )}
      </Box>
    </Stack>
  );
}

/** Whose terminal it is, and for how long: nobody should take it for their own. */
function Banner({ share: { workspace, terminal_id: terminal, expires_at: expiresAt } }: { share: ReceivedShare }): React.JSX.Element {
  const isView = terminal !== null;
  return (
    <Alert color={isView ? 'blue' : 'orange'} p="xs" radius={0} icon={isView ? <IconEye size={18} /> : <IconShare size={18} />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {isView ? 'Watching' : 'You work in'} {workspace.owner_name}/{workspace.name}.{' '}
          {isView ? 'What you type goes nowhere.' : 'Whatever you do here, you do in their name.'}
        </Text>
        <Text size="sm" component="div">
          Ends <When at={expiresAt} />
        </Text>
      </Group>
    </Alert>
  );
}

interface WatchedProps {
  readonly agentId: string;
  readonly terminal: string;
  readonly workspaceName: string;
  readonly onEnded: () => void;
}

function Watched({ agentId, terminal, workspaceName, onEnded }: WatchedProps): React.JSX.Element {
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const { fontSize } = useFontSize();
  return (
    <TerminalView
      agentId={agentId}
      shell={terminal}
      command=""
      isReadOnly
      label={`Terminal of ${workspaceName}, to look on at`}
      isShown
      scheme={scheme}
      fontSize={fontSize}
      isSearching={false}
      onSearchEnd={() => undefined}
      onTitle={() => undefined}
      onCommand={() => undefined}
      onRefused={onEnded}
    />
  );
}
