import { Box, SegmentedControl, Stack } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconTerminal2 } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { terminalChoice } from './terminal-choice.ts';
import { WorkspaceTerminals } from './WorkspaceTerminals.tsx';

/** Shells within the page of their workspace. */
export function TerminalTab({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const search = useSearch({ from: '/session/shell/@{$owner}/$name' });
  const navigate = useNavigate({ from: '/@{$owner}/$name' });
  const { agents, agent, obstacle } = terminalChoice(workspace, search.agent);
  if (agent === undefined || obstacle !== '') {
    return (
      <EmptyState icon={<IconTerminal2 size={24} />} title="No shell yet">
        {obstacle}
      </EmptyState>
    );
  }
  return (
    <Stack gap="xs">
      {agents.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label="Agent"
          style={{ alignSelf: 'flex-start' }}
          data={agents.map(({ name }) => name)}
          value={agent.name}
          onChange={(name) => void navigate({ search: { tab: 'terminal', agent: name }, replace: true })}
        />
      )}
      <Box className="surface" h="max(360px, calc(100dvh - 290px))" style={{ overflow: 'hidden' }}>
        <WorkspaceTerminals
          key={agent.id}
          workspace={workspace}
          agent={agent}
          address={search}
          onAddress={(address) => void navigate({ search: { tab: 'terminal', agent: search.agent, ...address }, replace: true })}
        />
      </Box>
    </Stack>
  );
}
