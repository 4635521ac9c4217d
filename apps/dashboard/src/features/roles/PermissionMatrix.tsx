import { counted } from '@berth/core';
import { Box, Button, Checkbox, Group, Table, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { PermissionGroup } from '../account/permission-words.ts';
import { choosePermissions, findPermissions } from '../account/permission-words.ts';
import classes from './PermissionMatrix.module.css';

/** The kinds of things that roles are made about most come first. */
const COMMON_ROWS = 11;

interface Props {
  readonly label: string;
  readonly value: readonly string[];
  readonly onChange: (permissions: string[]) => void;
  /** What the maker holds; only that can be chosen. Undefined while it is not known. */
  readonly held: ReadonlySet<string> | undefined;
  readonly isReadOnly: boolean;
}

/** What a role grants: a row for each kind of thing, a box for each action on it. */
export function PermissionMatrix({ label, value, onChange, held, isReadOnly }: Props): React.JSX.Element {
  const [text, setText] = useState('');
  const chosen = new Set(value);
  const [isWhole, setIsWhole] = useState(false);
  const all = findPermissions(text);
  const rows =
    text !== '' || isWhole ? all : all.filter((group, index) => isGranted(group, chosen) || (!isReadOnly && index < COMMON_ROWS));
  const set = (permissions: readonly string[], isOn: boolean): void => onChange(choosePermissions(value, permissions, isOn));
  return (
    <div>
      <Group justify="space-between" gap="xs" mb="xs">
        <TextInput
          size="xs"
          type="search"
          aria-label="Find permissions"
          placeholder="Find: workspace, start, template:read"
          leftSection={<IconSearch size={14} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={{ base: '100%', xs: 280 }}
        />
        <Text size="xs" c="dimmed" role="status">
          {value.length === 0 ? 'Grants nothing' : counted(value.length, 'permission')}
        </Text>
      </Group>
      <Box className="surface" style={{ overflow: 'hidden' }}>
        <Table aria-label={label} verticalSpacing="xs" horizontalSpacing="md" className={classes['matrix']}>
          <Table.Tbody>
            {rows.length === 0 && (
              <Table.Tr>
                <Table.Td>
                  {text === '' ? 'It grants nothing here.' : isReadOnly ? 'It grants nothing of that.' : 'No permission is called that.'}
                </Table.Td>
              </Table.Tr>
            )}
            {rows.map((group) => (
              <MatrixRow key={group.type} group={group} chosen={chosen} held={held} isReadOnly={isReadOnly} onSet={set} />
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {!isReadOnly && rows.length < all.length && (
        <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setIsWhole(true)}>
          Show {all.length - rows.length} more kinds of things
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  readonly group: PermissionGroup;
  readonly chosen: ReadonlySet<string>;
  readonly held: ReadonlySet<string> | undefined;
  readonly isReadOnly: boolean;
  readonly onSet: (permissions: readonly string[], isOn: boolean) => void;
}

function MatrixRow({ group, chosen, held, isReadOnly, onSet }: RowProps): React.JSX.Element {
  const mine = group.permissions.map(({ value }) => value).filter((value) => held?.has(value) === true);
  const count = group.permissions.filter(({ value }) => chosen.has(value)).length;
  const isAll = mine.length > 0 && mine.every((value) => chosen.has(value));
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={600}>
        {isReadOnly ? (
          group.label
        ) : (
          <Checkbox
            size="xs"
            label={group.label}
            aria-label={`${group.label}: everything that you hold`}
            checked={isAll}
            indeterminate={count > 0 && !isAll}
            disabled={mine.length === 0}
            onChange={() => onSet(mine, !isAll)}
          />
        )}
      </Table.Th>
      <Table.Td>
        {isReadOnly ? (
          <Text size="sm">{grantedWords(group, chosen)}</Text>
        ) : (
          <Group gap="md">
            {group.permissions.map(({ value, label }) => {
              const isMine = held?.has(value) === true;
              return (
                <Checkbox
                  key={value}
                  size="xs"
                  label={label}
                  aria-label={`${group.label}: ${label}`}
                  checked={chosen.has(value)}
                  // What the role has already can always be taken away.
                  disabled={!isMine && !chosen.has(value)}
                  title={isMine || held === undefined ? undefined : 'You do not hold this yourself, so you cannot pass it on.'}
                  onChange={(event) => onSet([value], event.currentTarget.checked)}
                />
              );
            })}
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function grantedWords(group: PermissionGroup, chosen: ReadonlySet<string>): string {
  const held = group.permissions.filter(({ value }) => chosen.has(value));
  return held.length === group.permissions.length && held.length > 1 ? 'everything' : held.map(({ label }) => label).join(', ');
}

function isGranted(group: PermissionGroup, chosen: ReadonlySet<string>): boolean {
  return group.permissions.some(({ value }) => chosen.has(value));
}
