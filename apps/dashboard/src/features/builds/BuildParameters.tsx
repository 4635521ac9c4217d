import { counted } from '@berth/core';
import { Group, Stack, Table, Text, Title } from '@mantine/core';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import { skipToken, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import type { Change } from './build-changes.ts';
import { changesBetween } from './build-changes.ts';

/** What a build was made with, and what of it was otherwise in the build before. */
export function BuildParameters({ build }: { build: WorkspaceBuild }): React.JSX.Element | null {
  const parameters = useQuery(trpc.builds.parameters.queryOptions({ workspacebuild: build.id }));
  const changes = useChanges(build, parameters.data);
  if (parameters.isError) {
    return <ErrorNotice error={parameters.error} title="The parameters could not be loaded" onRetry={() => void parameters.refetch()} />;
  }
  if (parameters.data === undefined || (parameters.data.length === 0 && (changes ?? []).length === 0)) return null;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Title order={2}>Parameters</Title>
        {changes !== undefined && (
          <Text size="sm" c="dimmed">
            {changes.length === 0 ? 'The same as in ' : `${counted(changes.length, 'change')} since `}
            <AnchorLink
              inherit
              underline="always"
              to="/@{$owner}/$name/builds/$number"
              params={{ owner: build.workspace_owner_name, name: build.workspace_name, number: String(build.build_number - 1) }}
            >
              build {build.build_number - 1}
            </AnchorLink>
          </Text>
        )}
      </Group>
      {changes !== undefined && changes.length > 0 && <Changes changes={changes} before={build.build_number - 1} />}
      {parameters.data.length > 0 && (
        <DataTable label="Parameters" columns={[{ title: 'Parameter' }, { title: 'Value' }]}>
          {parameters.data.map(({ name, value }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={500} w="35%">
                {name}
              </Table.Th>
              <Table.Td className="wrap-anywhere">{value}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </Stack>
  );
}

/** Undefined while that is not known, and for the first build. */
function useChanges(build: WorkspaceBuild, values: readonly { name: string; value: string }[] | undefined): readonly Change[] | undefined {
  const { build_number: number, workspace_owner_name: user, workspace_name: workspacename } = build;
  const before = useQuery(
    trpc.builds.getByUserWorkspaceAndNumber.queryOptions(number > 1 ? { user, workspacename, buildnumber: number - 1 } : skipToken, {
      retry: false,
    }),
  );
  const old = useQuery(trpc.builds.parameters.queryOptions(before.data === undefined ? skipToken : { workspacebuild: before.data.id }));
  if (before.data === undefined || old.data === undefined || values === undefined) return undefined;
  return changesBetween({ build: before.data, values: old.data }, { build, values });
}

function Changes({ changes, before }: { changes: readonly Change[]; before: number }): React.JSX.Element {
  return (
    <DataTable label={`Changes since build ${before}`} columns={[{ title: 'Changed' }, { title: 'Before' }, { title: 'Now' }]}>
      {changes.map(({ name, from, to }) => (
        <Table.Tr key={name}>
          <Table.Th scope="row" fw={500} w="35%">
            {name}
          </Table.Th>
          <Table.Td className="wrap-anywhere">
            <Value text={from} isOld />
          </Table.Td>
          <Table.Td className="wrap-anywhere">
            <Value text={to} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function Value({ text, isOld = false }: { text: string | null; isOld?: boolean }): React.JSX.Element {
  return (
    <Text size="sm" c={isOld || text === null ? 'dimmed' : undefined}>
      {text === null ? 'none' : text === '' ? 'empty' : text}
    </Text>
  );
}
