import { Box, Group, SegmentedControl, Stack, Text, Tooltip } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconExternalLink, IconTerminal2 } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { terminalChoice } from './terminal-choice.ts';
import { TerminalView } from './TerminalView.tsx';
import { ActionIconLink } from '../../ui/links.tsx';

/** A shell within the page of its workspace. */
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
      <Group justify="space-between">
        {agents.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label="Agent"
            data={agents.map(({ name }) => name)}
            value={agent.name}
            onChange={(name) => void navigate({ search: { tab: 'terminal', agent: name }, replace: true })}
          />
        ) : (
          <Text size="xs" c="dimmed" visibleFrom="sm">
            Copy with Ctrl+Shift+C, paste with Ctrl+Shift+V. A reload finds this shell again.
          </Text>
        )}
        <Tooltip label="Open in a window of its own">
          <ActionIconLink
            variant="default"
            to="/@{$owner}/$name/terminal"
            params={{ owner: workspace.owner_name, name: workspace.name }}
            search={{ agent: agent.name }}
            target="_blank"
            aria-label="Open the terminal in a window of its own"
            ml="auto"
          >
            <IconExternalLink size={16} />
          </ActionIconLink>
        </Tooltip>
      </Group>
      <Box h="max(360px, calc(100dvh - 330px))" style={{ borderRadius: 'var(--mantine-radius-md)', overflow: 'hidden' }}>
        <TerminalView key={agent.id} agentId={agent.id} label={`Terminal of ${workspace.name}`} />
      </Box>
    </Stack>
  );
}
