import { Badge, Box, Checkbox, Group, Table, Text, Tooltip, useMatches } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { IconAlertTriangle, IconMoon } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { TemplateIcon } from '../templates/TemplateIcon.tsx';
import { When } from '../../ui/When.tsx';
import { QuickActions } from './QuickActions.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { healthSentence } from './situation.ts';
import classes from '../../ui/rows.module.css';

interface Props {
  readonly workspaces: readonly Workspace[];
  /** The rows of another page or search, shown until the new ones are here. */
  readonly isStale: boolean;
  /** Ids of those that something will be done with together. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

export function WorkspaceTable({ workspaces, isStale, selected, onSelect }: Props): React.JSX.Element {
  const isAll = workspaces.length > 0 && workspaces.every(({ id }) => selected.has(id));
  const select = (id: string, isSelected: boolean): void => {
    const next = new Set(selected);
    if (isSelected) next.add(id);
    else next.delete(id);
    onSelect(next);
  };
  // A narrow screen has the status under the name. Either place has it, never both: it is read aloud too.
  const isNarrow = useMatches({ base: true, xs: false });
  return (
    <Box className="surface" style={{ opacity: isStale ? 0.6 : 1, overflow: 'hidden' }}>
      <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="Workspaces">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36} pr={0}>
              <Checkbox
                size="xs"
                aria-label="Select all on this page"
                checked={isAll}
                indeterminate={selected.size > 0 && !isAll}
                onChange={() => onSelect(new Set(isAll ? [] : workspaces.map(({ id }) => id)))}
              />
            </Table.Th>
            <Table.Th>Name</Table.Th>
            {!isNarrow && <Table.Th>Status</Table.Th>}
            <Table.Th visibleFrom="md">Template</Table.Th>
            <Table.Th visibleFrom="lg">Last build</Table.Th>
            <Table.Th visibleFrom="sm">Last used</Table.Th>
            <Table.Th w={60} ta="right">
              Actions
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workspaces.map((workspace) => (
            <WorkspaceRow
              key={workspace.id}
              workspace={workspace}
              isNarrow={isNarrow}
              isSelected={selected.has(workspace.id)}
              onSelect={(isSelected) => select(workspace.id, isSelected)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

interface RowProps {
  readonly workspace: Workspace;
  readonly isNarrow: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean) => void;
}

function WorkspaceRow({ workspace, isNarrow, isSelected, onSelect }: RowProps): React.JSX.Element {
  const build = workspace.latest_build;
  return (
    <Table.Tr className={classes['row']}>
      <Table.Td pr={0}>
        <Box className={classes['actions']}>
          <Checkbox
            size="xs"
            aria-label={`Select ${workspace.owner_name}/${workspace.name}`}
            checked={isSelected}
            onChange={(event) => onSelect(event.currentTarget.checked)}
          />
        </Box>
      </Table.Td>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <TemplateIcon icon={workspace.template_icon} name={workspace.template_name} />
          <Box miw={0}>
            <Link to="/@{$owner}/$name" params={{ owner: workspace.owner_name, name: workspace.name }} className={classes['link']}>
              {workspace.name}
            </Link>
            <Text size="xs" c="dimmed" truncate>
              {workspace.owner_name}
            </Text>
            {isNarrow && (
              <Box mt={4}>
                <StatusCell workspace={workspace} />
              </Box>
            )}
          </Box>
        </Group>
      </Table.Td>
      {!isNarrow && (
        <Table.Td>
          <StatusCell workspace={workspace} />
        </Table.Td>
      )}
      <Table.Td visibleFrom="md">
        <Text size="sm">{workspace.template_display_name === '' ? workspace.template_name : workspace.template_display_name}</Text>
        <Text size="xs" c="dimmed">
          {build.template_version_name}
          {workspace.outdated && ' · update available'}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Text size="sm">
          <When at={build.created_at} />
        </Text>
        <Text size="xs" c="dimmed">
          {build.transition} by {build.reason === 'initiator' ? build.initiator_name : build.reason}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">
          <When at={workspace.last_used_at} />
        </Text>
      </Table.Td>
      <Table.Td>
        <Group justify="flex-end" className={classes['actions']}>
          <QuickActions workspace={workspace} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function StatusCell({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const problem = healthSentence(workspace);
  return (
    <Group gap={6} wrap="nowrap">
      <StatusBadge status={workspace.latest_build.status} />
      {problem !== '' && (
        <Tooltip label={problem} multiline maw={280}>
          <Badge color="orange" leftSection={<IconAlertTriangle size={12} />} tabIndex={0} className={classes['actions']}>
            Unhealthy
          </Badge>
        </Tooltip>
      )}
      {workspace.dormant_at !== null && (
        <Badge color="violet" leftSection={<IconMoon size={12} />}>
          Dormant
        </Badge>
      )}
    </Group>
  );
}
