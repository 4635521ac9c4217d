import { Box, Checkbox, Group, Input, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { PermissionGroup } from './permission-words.ts';
import { PERMISSION_GROUPS, choosePermissions, findPermissions } from './permission-words.ts';

interface Props {
  readonly value: readonly string[];
  readonly onChange: (permissions: string[]) => void;
  readonly error?: React.ReactNode;
}

/** Chooses permissions by the kind of thing they are about; a kind's own box chooses all of its. */
export function PermissionPicker({ value, onChange, error }: Props): React.JSX.Element {
  const [text, setText] = useState('');
  const id = useId();
  const found = findPermissions(text);
  const chosen = new Set(value);
  const set = (permissions: readonly string[], isOn: boolean): void => onChange(choosePermissions(value, permissions, isOn));
  return (
    <Stack gap={6} role="group" aria-labelledby={id} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} id={id}>
          Permissions
        </Text>
        <Text size="xs" c="dimmed" aria-live="polite">
          {value.length === 0 ? 'None chosen' : `${value.length} chosen`}
        </Text>
      </Group>
      <TextInput
        size="xs"
        type="search"
        aria-label="Find permissions"
        placeholder="Find: workspace, start, template:read"
        leftSection={<IconSearch size={14} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ScrollArea.Autosize
        mah={280}
        type="auto"
        offsetScrollbars
        className="surface"
        viewportProps={{ tabIndex: 0, 'aria-labelledby': id }}
      >
        <Stack gap="md" p="sm">
          {found.length === 0 ? (
            <Text size="sm" c="dimmed">
              No permission is called that.
            </Text>
          ) : (
            found.map((group) => <GroupBoxes key={group.type} group={group} chosen={chosen} onSet={set} />)
          )}
        </Stack>
      </ScrollArea.Autosize>
      {error !== undefined && <Input.Error id={`${id}-error`}>{error}</Input.Error>}
    </Stack>
  );
}

interface GroupProps {
  readonly group: PermissionGroup;
  readonly chosen: ReadonlySet<string>;
  readonly onSet: (permissions: readonly string[], isOn: boolean) => void;
}

function GroupBoxes({ group, chosen, onSet }: GroupProps): React.JSX.Element {
  // The kind's own box means all of its permissions, also those that a search leaves out.
  const all = PERMISSION_GROUPS.find(({ type }) => type === group.type)?.permissions.map(({ value }) => value) ?? [];
  const held = all.filter((value) => chosen.has(value)).length;
  const isAll = held === all.length;
  return (
    <Box role="group" aria-label={group.label}>
      <Checkbox
        size="xs"
        label={group.label}
        styles={{ label: { fontWeight: 600 } }}
        checked={isAll}
        indeterminate={held > 0 && !isAll}
        onChange={() => onSet(all, !isAll)}
      />
      <Group gap="6px 16px" mt={6} ml={26}>
        {group.permissions.map(({ value, label }) => (
          <Checkbox
            key={value}
            size="xs"
            label={label}
            checked={chosen.has(value)}
            onChange={(event) => onSet([value], event.currentTarget.checked)}
          />
        ))}
      </Group>
    </Box>
  );
}
