import { ActionIcon, Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowRight, IconPlus, IconTrash } from '@tabler/icons-react';
import type { MappingRow } from './mapping-rows.ts';
import { addedRow } from './mapping-rows.ts';

interface Props {
  readonly rows: readonly MappingRow[];
  readonly onChange: (rows: MappingRow[]) => void;
  /** What a value can give. */
  readonly targets: readonly { readonly value: string; readonly label: string }[];
  /** "Organizations". */
  readonly targetLabel: string;
  readonly isReadOnly: boolean;
}

/** Which claim values give what. */
export function MappingEditor({ rows, onChange, targets, targetLabel, isReadOnly }: Props): React.JSX.Element {
  const set = (key: number, change: Partial<MappingRow>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  return (
    <Stack gap="xs" role="group" aria-label={`Mapping to ${targetLabel.toLowerCase()}`}>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          No value is mapped.
        </Text>
      )}
      {rows.map((row, index) => (
        <Group key={row.key} gap="xs" align="flex-start">
          <TextInput
            aria-label={`Claim value ${index + 1}`}
            placeholder="Value of the claim"
            value={row.claim}
            readOnly={isReadOnly}
            onChange={(event) => set(row.key, { claim: event.currentTarget.value })}
            flex="1 1 180px"
          />
          <IconArrowRight size={16} aria-hidden style={{ marginTop: 10, flexShrink: 0 }} />
          <MultiSelect
            aria-label={`${targetLabel} for value ${index + 1}`}
            placeholder={row.targets.length === 0 ? targetLabel : undefined}
            data={withUnknown(targets, row.targets)}
            value={[...row.targets]}
            onChange={(next) => set(row.key, { targets: next })}
            readOnly={isReadOnly}
            searchable
            hidePickedOptions
            flex="2 1 220px"
            miw={0}
          />
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="red"
              size={36}
              aria-label={`Remove value ${index + 1}`}
              onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isReadOnly && (
        <Group>
          <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} />} onClick={() => onChange(addedRow(rows))}>
            {rows.length === 0 ? 'Map a value' : 'Map another value'}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Targets that are gone, or not for the caller to see, stay as their ids. */
function withUnknown(targets: Props['targets'], chosen: readonly string[]): { value: string; label: string }[] {
  const known = new Set(targets.map(({ value }) => value));
  return [...targets, ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))];
}
