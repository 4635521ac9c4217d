import { Alert, Badge, Box, Button, Group, Menu, Table, Text, Tooltip, ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconKey, IconPencil, IconPlus, IconTrash, IconWorld } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { ACTIONS, DataTable } from '../../ui/DataTable.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { TableSkeleton } from '../../ui/TableSkeleton.tsx';
import { When } from '../../ui/When.tsx';
import { CreateProxy } from './CreateProxy.tsx';
import { DeleteProxy } from './DeleteProxy.tsx';
import { EditProxy } from './EditProxy.tsx';
import { NewProxyToken } from './NewProxyToken.tsx';
import type { Proxy } from './proxy-words.ts';
import { PRIMARY, STATUS_LOOKS, proxyTitle } from './proxy-words.ts';

const COLUMNS = [
  { title: 'Name' },
  { title: 'Status' },
  { title: 'Address', from: 'sm' },
  { title: 'Checked', from: 'md', width: 140 },
  ACTIONS,
] as const;

type Task = 'edit' | 'token' | 'delete';

/** Doors to the workspaces' apps in other regions. */
export function ProxiesPage(): React.JSX.Element {
  const proxies = useQuery(trpc.workspaceProxies.list.queryOptions({}));
  const [isCreating, creation] = useDisclosure(false);
  const [task, setTask] = useState<{ readonly proxy: Proxy; readonly task: Task }>();
  const regions = proxies.data?.flatMap((list) => list.regions);
  const done = (): void => setTask(undefined);
  return (
    <Page
      title="Workspace proxies"
      subtitle="A proxy serves the apps and terminals of workspaces near the people who use them, while everything else stays with this server."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
          New proxy
        </Button>
      }
    >
      <Alert color="blue" title="Proxies cannot register yet">
        This version keeps proxies and their tokens; the program that runs as one comes with a later version. Until then every connection
        goes through this server, which is the proxy called primary.
      </Alert>
      {proxies.isError ? (
        <ErrorNotice error={proxies.error} title="The proxies could not be loaded" onRetry={() => void proxies.refetch()} />
      ) : regions === undefined ? (
        <TableSkeleton label="Loading proxies" rows={2} />
      ) : (
        <DataTable label="Workspace proxies" columns={COLUMNS}>
          {regions.map((proxy) => (
            <ProxyRow key={proxy.id} proxy={proxy} onTask={(next) => setTask({ proxy, task: next })} />
          ))}
        </DataTable>
      )}
      <CreateProxy isOpen={isCreating} onClose={creation.close} />
      {task?.task === 'edit' && <EditProxy proxy={task.proxy} onClose={done} />}
      {task?.task === 'token' && <NewProxyToken proxy={task.proxy} onClose={done} />}
      {task?.task === 'delete' && <DeleteProxy proxy={task.proxy} onClose={done} />}
    </Page>
  );
}

function ProxyRow({ proxy, onTask }: { proxy: Proxy; onTask: (task: Task) => void }): React.JSX.Element {
  const isPrimary = proxy.name === PRIMARY;
  const { label, color, meaning } = STATUS_LOOKS[proxy.status.status];
  const { errors, warnings } = proxy.status.report;
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <Picture src={proxy.icon_url} fallback={<IconWorld size={20} aria-hidden />} />
          <Box miw={0}>
            <Text size="sm" fw={600} className="wrap-anywhere">
              {proxyTitle(proxy)}
            </Text>
            <Text size="xs" c="dimmed" className="wrap-anywhere">
              {proxy.name}
              {proxy.version !== '' && ` · ${proxy.version}`}
            </Text>
          </Box>
        </Group>
      </Table.Td>
      <Table.Td>
        <Tooltip label={meaning}>
          <Badge color={color} miw="max-content" tabIndex={0}>
            {label}
          </Badge>
        </Tooltip>
        {[...errors, ...warnings].slice(0, 3).map((text) => (
          <Text key={text} size="xs" c="dimmed" className="wrap-anywhere">
            {text}
          </Text>
        ))}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" className="wrap-anywhere" {...(proxy.path_app_url === '' ? { c: 'dimmed' } : {})}>
          {proxy.path_app_url === '' ? 'none yet' : proxy.path_app_url}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm">
          <When at={proxy.status.checked_at} />
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${proxyTitle(proxy)}`}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onTask('edit')}>
              Edit
            </Menu.Item>
            {!isPrimary && (
              <>
                <Menu.Item leftSection={<IconKey size={16} />} onClick={() => onTask('token')}>
                  New token
                </Menu.Item>
                <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => onTask('delete')}>
                  Delete
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  );
}
