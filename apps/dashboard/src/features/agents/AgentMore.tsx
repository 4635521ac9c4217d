import { Box, Button, Group, Stack } from '@mantine/core';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useBuildPlace } from '../builds/use-build-place.ts';
import { AgentDetails } from './AgentDetails.tsx';
import { AgentLog } from './AgentLog.tsx';

const BUSY_STATES = new Set(['created', 'starting', 'start_timeout', 'start_error', 'shutdown_error', 'shutdown_timeout']);

interface Props {
  readonly agent: WorkspaceAgent;
  readonly workspace: Workspace;
}

/** What the scripts of an agent wrote, open by itself while they run or when one failed; and what else is known of it. */
export function AgentMore({ agent, workspace }: Props): React.JSX.Element {
  const [logChoice, setLogChoice] = useState<boolean>();
  const [hasDetails, setDetails] = useState(false);
  const hasLog = agent.scripts.length > 0 || agent.logs_length > 0;
  const isLogOpen = hasLog && (logChoice ?? BUSY_STATES.has(agent.lifecycle_state));
  const place = useBuildPlace(workspace.latest_build, agent.name);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {hasLog && <Fold label="Script logs" isOpen={isLogOpen} onToggle={() => setLogChoice(!isLogOpen)} />}
        <Fold label="Details" isOpen={hasDetails} onToggle={() => setDetails(!hasDetails)} />
      </Group>
      {isLogOpen && <AgentLog agent={agent} place={place} />}
      {hasDetails && (
        <Box component="section" aria-label={`Details of ${agent.name}`}>
          <AgentDetails agent={agent} workspace={workspace} />
        </Box>
      )}
    </Stack>
  );
}

interface FoldProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Fold({ label, isOpen, onToggle }: FoldProps): React.JSX.Element {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {label}
    </Button>
  );
}
