import { Badge, Button, Group, Indicator, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReceivedShare } from '@berth/api/contract/workspace-shares';
import { IconEye, IconShare, IconTerminal2 } from '@tabler/icons-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { When } from '../../ui/When.tsx';
import { APP_HEALTH_LOOK } from '../agents/app-health.ts';
import { webUrl } from '../agents/app-url.ts';
import { TemplateIcon } from '../templates/TemplateIcon.tsx';
import { sharedThing } from './share-words.ts';
import { useReceivedShares } from './use-received-shares.ts';

/** What other people let the signed-in person into, for a time. */
export function ReceivedSharesPage(): React.JSX.Element {
  const received = useReceivedShares();
  return (
    <Page title="Shared with me" subtitle="Apps and terminals of other people, for as long as they let you in.">
      {received.isError ? (
        <ErrorNotice error={received.error} title="What is shared could not be loaded" onRetry={() => void received.refetch()} />
      ) : received.data === undefined ? (
        <Stack role="status" aria-label="Loading what is shared">
          <Skeleton height={116} radius="md" />
          <Skeleton height={116} radius="md" />
        </Stack>
      ) : received.data.shares.length === 0 ? (
        <EmptyState icon={<IconShare size={24} />} title="Nothing is shared with you now">
          When somebody shares an app or a terminal of their workspace with you, it stands here until it ends. Your own workspaces have a
          Sharing tab.
        </EmptyState>
      ) : (
        <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {received.data.shares.map((share) => (
            <ReceivedCard key={share.id} share={share} />
          ))}
        </Stack>
      )}
    </Page>
  );
}

function ReceivedCard({ share }: { share: ReceivedShare }): React.JSX.Element {
  const { workspace, group, agents } = share;
  return (
    <Stack component="li" className="surface" p="md" gap="sm" aria-label={`${workspace.owner_name}/${workspace.name}`}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} className="wrap-anywhere">
            {workspace.name}
          </Title>
          <Text size="sm" c="dimmed" component="div">
            {sharedThing(share)} · of {workspace.owner_name}
            {group !== null && ` · with the group ${group.display_name === '' ? group.name : group.display_name}`} · ends{' '}
            <When at={share.expires_at} />
          </Text>
        </div>
        {!workspace.is_running && <Badge color="gray">not running</Badge>}
      </Group>
      {!workspace.is_running ? (
        <Text size="sm">It opens when {workspace.owner_name} starts the workspace.</Text>
      ) : share.access === 'apps' ? (
        <SharedApps agents={agents} />
      ) : (
        <SharedTerminals share={share} />
      )}
    </Stack>
  );
}

function SharedApps({ agents }: { agents: ReceivedShare['agents'] }): React.JSX.Element {
  const apps = agents.flatMap(({ apps: own, is_connected: isConnected }) => own.map((app) => ({ app, isConnected })));
  if (apps.length === 0) return <Text size="sm">The workspace has no app to open now.</Text>;
  return (
    <Group gap="sm">
      {apps.map(({ app, isConnected }) => {
        const title = app.display_name === '' ? app.slug : app.display_name;
        const url = webUrl(app.url);
        const { color, text } = APP_HEALTH_LOOK[app.health];
        const icon = <TemplateIcon icon={app.icon} name={title} size={20} />;
        if (url === undefined || !isConnected) {
          return (
            <Button key={app.id} variant="default" size="sm" leftSection={icon} disabled>
              {title}
            </Button>
          );
        }
        return (
          <Indicator key={app.id} color={color} disabled={app.health === 'disabled'} size={10} offset={4}>
            <Button
              variant="default"
              size="sm"
              leftSection={icon}
              component="a"
              href={url}
              target="_blank"
              rel="noreferrer"
              aria-label={text === '' ? `Open ${title}` : `Open ${title}, ${text}`}
            >
              {title}
            </Button>
          </Indicator>
        );
      })}
    </Group>
  );
}

function SharedTerminals({ share }: { share: ReceivedShare }): React.JSX.Element {
  const isView = share.access === 'terminal_view';
  const connected = share.agents.filter(({ is_connected: isConnected }) => isConnected);
  if (connected.length === 0) return <Text size="sm">Its agent is not connected now.</Text>;
  return (
    <Group gap="sm">
      {connected.map((agent) => (
        <ButtonLink
          key={agent.id}
          variant="default"
          size="sm"
          leftSection={isView ? <IconEye size={16} /> : <IconTerminal2 size={16} />}
          to="/shared/$share"
          params={{ share: share.id }}
          search={connected.length > 1 ? { agent: agent.name } : {}}
        >
          {isView ? 'Watch' : 'Open a terminal'}
          {connected.length > 1 && ` of ${agent.name}`}
        </ButtonLink>
      ))}
    </Group>
  );
}
