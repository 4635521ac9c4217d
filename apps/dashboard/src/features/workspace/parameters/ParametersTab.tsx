import { Alert, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { trpc } from '../../../api/trpc.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../../ui/links.tsx';
import { Section } from '../../account/Section.tsx';
import { parametersFromWire } from '../../create-workspace/parameter-form.ts';
import { useWorkspaceRights } from '../use-workspace-rights.ts';
import { ChangeParameters } from './ChangeParameters.tsx';
import type { ParameterRow } from './parameter-rows.ts';
import { outlookWords, parameterRows } from './parameter-rows.ts';

const COLUMNS = [
  { title: 'Parameter' },
  { title: 'Value' },
  { title: 'Default', from: 'sm' as const },
  { title: 'What changes', from: 'sm' as const },
];

/** What a workspace was last built with, what an update would change of that, and other answers for the next start. */
export function ParametersTab({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const build = workspace.latest_build;
  const version = workspace.outdated ? workspace.template_active_version_id : build.template_version_id;
  const current = useQuery(trpc.templateVersions.richParameters.queryOptions({ templateversion: build.template_version_id }));
  const active = useQuery(trpc.templateVersions.richParameters.queryOptions({ templateversion: version }));
  const values = useQuery(trpc.builds.parameters.queryOptions({ workspacebuild: build.id }));
  const { may } = useWorkspaceRights(workspace);
  const rows = useMemo(
    () =>
      current.data === undefined || active.data === undefined || values.data === undefined
        ? undefined
        : parameterRows({ current: parametersFromWire(current.data), active: parametersFromWire(active.data), values: values.data }),
    [current.data, active.data, values.data],
  );
  const failed = [current, active, values].find(({ isError }) => isError);
  if (failed !== undefined) {
    return <ErrorNotice error={failed.error} title="The parameters could not be loaded" onRetry={() => void failed.refetch()} />;
  }
  if (rows === undefined || current.data === undefined || active.data === undefined || values.data === undefined) {
    return <Skeleton height={320} radius="md" />;
  }
  return (
    <Stack>
      {workspace.outdated && (
        <Alert color="harbour" title={`It is on ${build.template_version_name}, which is not the active version`}>
          <Text size="sm">
            {rows.every(({ outlook }) => outlook.kind === 'same')
              ? 'Its parameters mean the same in the active one.'
              : 'The table says what the active one makes of its parameters.'}{' '}
            <AnchorLink
              inherit
              underline="always"
              to="/templates/$organization/$name"
              params={{ organization: workspace.organization_name, name: workspace.template_name }}
              search={{ tab: 'versions' }}
            >
              See what else changed
            </AnchorLink>
          </Text>
        </Alert>
      )}
      {rows.length > 0 && (
        <DataTable label="Parameters of this workspace" columns={workspace.outdated ? COLUMNS : COLUMNS.slice(0, 3)}>
          {rows.map((row) => (
            <Row key={row.name} row={row} isOutdated={workspace.outdated} />
          ))}
        </DataTable>
      )}
      {may.update && (
        <Section
          title="Change them"
          description={
            rows.length === 0 ? undefined : 'A change takes effect with a new start. What cannot be changed any more is not asked.'
          }
        >
          <ChangeParameters key={build.id} workspace={workspace} current={current.data} active={active.data} values={values.data} />
        </Section>
      )}
    </Stack>
  );
}

function Row({ row, isOutdated }: { row: ParameterRow; isOutdated: boolean }): React.JSX.Element {
  const words = outlookWords(row.outlook);
  const facts = [row.isMutable ? '' : 'fixed at creation', row.isEphemeral ? 'forgotten after each build' : ''].filter(
    (fact) => fact !== '',
  );
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} style={{ verticalAlign: 'top' }}>
        {row.title}
        {facts.length > 0 && (
          <Text size="xs" c="dimmed">
            {facts.join(', ')}
          </Text>
        )}
      </Table.Th>
      <Table.Td className="wrap-anywhere" style={{ verticalAlign: 'top' }}>
        <Text size="sm" fw={row.isDefault || row.value === null ? 400 : 600} c={row.value === null ? 'dimmed' : undefined}>
          {row.value === null ? 'not asked yet' : row.value === '' ? 'empty' : row.value}
        </Text>
        {isOutdated && words !== '' && (
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {words}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="wrap-anywhere" style={{ verticalAlign: 'top' }}>
        <Text size="sm" c="dimmed">
          {row.isDefault ? 'the same' : row.standard === '' ? 'nothing' : row.standard}
        </Text>
      </Table.Td>
      {isOutdated && (
        <Table.Td visibleFrom="sm" className="wrap-anywhere" style={{ verticalAlign: 'top' }}>
          <Text size="sm" c={row.outlook.kind === 'refused' ? 'var(--mantine-color-error)' : undefined}>
            {words === '' ? 'nothing' : words}
          </Text>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
