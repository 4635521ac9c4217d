import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import type { WorkspaceAgent } from '@berth/api/contract/agents';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useSuspenseQuery } from '@tanstack/react-query';
import { AnchorLink } from '../../ui/links.tsx';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { meQuery } from '../session/session.ts';
import { editorLinks, sshHost, sshTarget } from './connect-words.ts';

interface Props {
  readonly agent: WorkspaceAgent;
  readonly workspace: Workspace;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** How to get into a workspace from one's own computer. */
export function ConnectDialog({ agent, workspace, isOpen, onClose }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Connect to ${workspace.name}`} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Ways agent={agent} workspace={workspace} />
    </Modal>
  );
}

function Ways({ agent, workspace }: Pick<Props, 'agent' | 'workspace'>): React.JSX.Element {
  const { data: me } = useSuspenseQuery(meQuery());
  const target = sshTarget(workspace, agent, me.username);
  const host = sshHost(workspace, agent, me.username);
  return (
    <Stack gap="lg">
      <Way title="Once on your computer" text="Signs the command line in, and tells OpenSSH about your workspaces.">
        <CommandLine command={`berth login ${location.origin}`} label="Copy the command that signs in" />
        <CommandLine command="berth config-ssh" label="Copy the command that sets up OpenSSH" />
        <Text size="sm">
          No browser there?{' '}
          <AnchorLink to="/cli-auth" target="_blank" underline="always" inherit>
            Make a token for the command line
          </AnchorLink>
          .
        </Text>
      </Way>
      {agent.display_apps.includes('ssh_helper') && (
        <Way title="A shell" text="Or any program that speaks SSH: scp, sftp, rsync, git.">
          <CommandLine command={`berth ssh ${target}`} label="Copy the command that opens a shell" />
          <CommandLine command={`ssh ${host}`} label="Copy the command of OpenSSH" />
        </Way>
      )}
      <Way title="An editor" text="Opens the folder of the workspace in the editor on your computer.">
        <Group gap="xs">
          {editorLinks(host, agent).map(({ name, url }) => (
            <Button key={name} component="a" href={url} variant="default" size="xs">
              {name}
            </Button>
          ))}
        </Group>
      </Way>
      {agent.display_apps.includes('port_forwarding_helper') && (
        <Way title="A port" text="Brings a port of the workspace to the same port of your computer.">
          <CommandLine command={`berth port-forward ${target} --tcp 8080`} label="Copy the command that forwards a port" />
        </Way>
      )}
    </Stack>
  );
}

function Way({ title, text, children }: { title: string; text: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <Stack gap={6} component="section" aria-label={title}>
      <div>
        <Title order={3} size="sm">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {children}
    </Stack>
  );
}
