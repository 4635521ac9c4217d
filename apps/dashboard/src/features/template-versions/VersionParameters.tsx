import { Badge, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { TemplateVersionParameter } from '@berth/api/contract/template-versions';
import { IconForms } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { TemplateIcon } from '../templates/TemplateIcon.tsx';
import { parameterRules } from './parameter-rules.ts';
import type { Version } from './version-words.ts';

/** What a workspace of a version asks for, with the rules of each answer. */
export function VersionParameters({ version }: { version: Version }): React.JSX.Element {
  const parameters = useQuery(
    trpc.templateVersions.richParameters.queryOptions({ templateversion: version.id }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  if (parameters.isError) {
    return <ErrorNotice error={parameters.error} title="The parameters could not be loaded" onRetry={() => void parameters.refetch()} />;
  }
  if (parameters.data === undefined) return <Skeleton height={240} radius="md" />;
  if (parameters.data.length === 0) {
    return (
      <EmptyState icon={<IconForms size={24} />} title="No parameters">
        A workspace of this version asks for nothing but its name.
      </EmptyState>
    );
  }
  return (
    <DataTable label="Parameters" columns={[{ title: 'Parameter' }, { title: 'Default', from: 'xs' }, { title: 'Rules', from: 'sm' }]}>
      {parameters.data.map((parameter) => (
        <ParameterRow key={parameter.name} parameter={parameter} />
      ))}
    </DataTable>
  );
}

function ParameterRow({ parameter }: { parameter: TemplateVersionParameter }): React.JSX.Element {
  const rules = parameterRules(parameter);
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          {parameter.icon !== '' && <TemplateIcon icon={parameter.icon} name={parameter.name} size={22} />}
          <Stack gap={4} miw={0}>
            <Group gap={6}>
              <Text size="sm" fw={600}>
                {parameter.display_name === '' ? parameter.name : parameter.display_name}
              </Text>
              {parameter.required && <Badge size="xs">Required</Badge>}
            </Group>
            <Text size="xs" c="dimmed" ff="monospace" className="wrap-anywhere">
              {parameter.name}
            </Text>
            {parameter.description_plaintext !== '' && <Text size="sm">{parameter.description_plaintext}</Text>}
          </Stack>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="xs" className="wrap-anywhere">
        {parameter.default_value === '' ? (
          <Text size="sm" c="dimmed">
            none
          </Text>
        ) : (
          parameter.default_value
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {rules.map((rule) => (
          <Text key={rule} size="sm" className="wrap-anywhere">
            {rule}
          </Text>
        ))}
      </Table.Td>
    </Table.Tr>
  );
}
