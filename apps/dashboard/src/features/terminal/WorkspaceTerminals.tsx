import { Menu } from '@mantine/core';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconExternalLink, IconShare } from '@tabler/icons-react';
import { useState } from 'react';
import { MenuItemLink } from '../../ui/links.tsx';
import { ShareDialog } from '../shares/ShareDialog.tsx';
import type { WatchedTerminal } from '../shares/share-words.ts';
import { useWorkspaceRights } from '../workspace/use-workspace-rights.ts';
import { StartGate } from './StartGate.tsx';
import { Terminals } from './Terminals.tsx';
import type { ShellsAddress } from './use-shells.ts';

interface Props {
  readonly workspace: Workspace;
  readonly agent: WorkspaceAgent;
  readonly address: ShellsAddress;
  readonly onAddress: (address: ShellsAddress) => void;
  /** True where the terminals have a window of their own already. */
  readonly isWindow?: boolean;
}

/** The terminals of an agent of a workspace that one may enter, once its start script lets people in. */
export function WorkspaceTerminals({ workspace, agent, address, onAddress, isWindow = false }: Props): React.JSX.Element {
  const { may } = useWorkspaceRights(workspace);
  const [shared, setShared] = useState<WatchedTerminal>();
  return (
    <StartGate agent={agent}>
      <Terminals
        agentId={agent.id}
        workspaceName={workspace.name}
        commandOf={(app) => agent.apps.find(({ slug }) => slug === app)?.command ?? ''}
        address={address}
        onAddress={onAddress}
        menuFor={({ id }) => (
          <>
            {may.update && (
              <Menu.Item leftSection={<IconShare size={16} />} onClick={() => setShared({ agentName: agent.name, id })}>
                Share this terminal…
              </Menu.Item>
            )}
            {!isWindow && (
              <MenuItemLink
                leftSection={<IconExternalLink size={16} />}
                to="/@{$owner}/$name/terminal"
                params={{ owner: workspace.owner_name, name: workspace.name }}
                search={{ agent: agent.name }}
                target="_blank"
              >
                New window
              </MenuItemLink>
            )}
          </>
        )}
      />
      <ShareDialog workspace={workspace} terminal={shared} isOpen={shared !== undefined} onClose={() => setShared(undefined)} />
    </StartGate>
  );
}
