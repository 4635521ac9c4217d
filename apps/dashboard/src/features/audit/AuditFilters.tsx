import { Box, Button, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import type { FilterKey } from './audit-query.ts';
import { filterValue, withFilter } from './audit-query.ts';
import { ACTION_OPTIONS, BUILD_REASON_OPTIONS, RESOURCE_TYPE_OPTIONS } from './audit-words.ts';

interface Props {
  readonly q: string;
  readonly onChange: (q: string) => void;
}

/** The query as controls; on a narrow screen they wait behind a button. */
export function AuditFilters({ q, onChange }: Props): React.JSX.Element {
  const [isOpen, disclosure] = useDisclosure(false);
  return (
    <>
      <Button
        hiddenFrom="sm"
        size="xs"
        variant="default"
        leftSection={<IconFilter size={14} />}
        aria-expanded={isOpen}
        onClick={disclosure.toggle}
        style={{ alignSelf: 'flex-start' }}
      >
        Filters
      </Button>
      <Box visibleFrom={isOpen ? undefined : 'sm'}>
        <FilterControls q={q} onChange={onChange} />
      </Box>
    </>
  );
}

function FilterControls({ q, onChange }: Props): React.JSX.Element {
  const organizations = useQuery(trpc.organizations.list.queryOptions({}, { staleTime: 5 * 60_000 }));
  const organizationOptions = (organizations.data ?? []).map(({ name, display_name: title }) => ({
    value: name,
    label: title === '' ? name : title,
  }));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 7 }} spacing="xs">
      <FilterSelect label="Resource" filter="resource_type" data={RESOURCE_TYPE_OPTIONS} q={q} onChange={onChange} />
      <FilterSelect label="Action" filter="action" data={ACTION_OPTIONS} q={q} onChange={onChange} />
      <TextInput
        key={filterValue(q, 'username')}
        label="User"
        size="xs"
        placeholder="Anyone"
        defaultValue={filterValue(q, 'username')}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(withFilter(q, 'username', event.currentTarget.value.trim()));
        }}
        onBlur={(event) => {
          const value = event.currentTarget.value.trim();
          if (value !== filterValue(q, 'username')) onChange(withFilter(q, 'username', value));
        }}
      />
      <FilterSelect label="Organization" filter="organization" data={organizationOptions} q={q} onChange={onChange} />
      <FilterSelect label="Build reason" filter="build_reason" data={BUILD_REASON_OPTIONS} q={q} onChange={onChange} />
      <FilterDate label="From" filter="date_from" q={q} onChange={onChange} />
      <FilterDate label="To" filter="date_to" q={q} onChange={onChange} />
    </SimpleGrid>
  );
}

interface FilterProps extends Props {
  readonly label: string;
  readonly filter: FilterKey;
}

function FilterSelect({ label, filter, data, q, onChange }: FilterProps & { data: { value: string; label: string }[] }): React.JSX.Element {
  const value = filterValue(q, filter);
  // A value that the menu does not have, such as an id typed into the query, is shown all the same.
  const shown = value === '' || data.some((option) => option.value === value) ? data : [...data, { value, label: value }];
  return (
    <Select
      label={label}
      size="xs"
      placeholder="Any"
      data={shown}
      value={value === '' ? null : value}
      onChange={(next) => onChange(withFilter(q, filter, next ?? ''))}
      clearable
      searchable={data.length > 8}
      clearButtonProps={{ 'aria-label': `Any ${label.toLowerCase()}` }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

function FilterDate({ label, filter, q, onChange }: FilterProps): React.JSX.Element {
  return (
    <TextInput
      type="date"
      label={label}
      size="xs"
      title="A day in UTC"
      value={filterValue(q, filter)}
      onChange={(event) => onChange(withFilter(q, filter, event.currentTarget.value))}
    />
  );
}
