import { Button, Group, Menu, Popover, ScrollArea, Stack, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import type { FilterKey } from './audit-query.ts';
import { filterValue, withFilter } from './audit-query.ts';
import { ACTION_OPTIONS, BUILD_REASON_OPTIONS, RESOURCE_TYPE_OPTIONS, words } from './audit-words.ts';
import { Chip } from './Chip.tsx';
import { TimeChip } from './TimeChip.tsx';

interface Props {
  readonly q: string;
  readonly onChange: (q: string) => void;
}

/** The filters that are set only by links or by the query: shown, and taken away. */
const OTHERS = [
  ['resource_target', 'Name'],
  ['email', 'E-mail'],
  ['resource_id', 'Resource id'],
  ['request_id', 'Request'],
  ['id', 'Entry'],
] as const satisfies readonly (readonly [FilterKey, string])[];

/** The query as chips: what is asked stands there and can be changed or taken away, what could be asked is offered. */
export function FilterChips({ q, onChange }: Props): React.JSX.Element {
  const organizations = useQuery(trpc.organizations.list.queryOptions({}, { staleTime: 5 * 60_000 }));
  const organizationOptions = (organizations.data ?? []).map(({ name, display_name: title }) => ({
    value: name,
    label: title === '' ? name : title,
  }));
  return (
    <Group gap={6} role="group" aria-label="Filters">
      <TimeChip q={q} onChange={onChange} />
      <MenuChip label="Resource" filter="resource_type" options={RESOURCE_TYPE_OPTIONS} q={q} onChange={onChange} />
      <MenuChip label="Action" filter="action" options={ACTION_OPTIONS} q={q} onChange={onChange} />
      <PersonChip q={q} onChange={onChange} />
      {organizationOptions.length > 1 && (
        <MenuChip label="Organization" filter="organization" options={organizationOptions} q={q} onChange={onChange} />
      )}
      <MenuChip label="Build reason" filter="build_reason" options={BUILD_REASON_OPTIONS} q={q} onChange={onChange} />
      {OTHERS.map(([filter, label]) => {
        const value = filterValue(q, filter);
        return value === '' ? null : <Chip key={filter} label={label} value={value} onRemove={() => onChange(withFilter(q, filter, ''))} />;
      })}
      {q !== '' && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onChange('')}>
          Clear all
        </Button>
      )}
    </Group>
  );
}

interface MenuChipProps extends Props {
  readonly label: string;
  readonly filter: FilterKey;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

function MenuChip({ label, filter, options, q, onChange }: MenuChipProps): React.JSX.Element {
  const value = filterValue(q, filter);
  const shown = options.find((option) => option.value === value.toLowerCase() || option.value === value)?.label ?? words(value);
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <Chip label={label} value={value === '' ? '' : shown} onRemove={() => onChange(withFilter(q, filter, ''))} />
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={320} type="auto">
          {options.map((option) => (
            <Menu.Item
              key={option.value}
              aria-current={option.value === value ? 'true' : undefined}
              rightSection={option.value === value ? <IconCheck size={14} aria-hidden /> : undefined}
              onClick={() => onChange(withFilter(q, filter, option.value))}
            >
              {option.label}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

function PersonChip({ q, onChange }: Props): React.JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const value = filterValue(q, 'username');
  const [draft, setDraft] = useState(value);
  const toggle = (): void => {
    setDraft(value);
    setIsOpen((before) => !before);
  };
  const choose = (next: string): void => {
    setIsOpen(false);
    onChange(withFilter(q, 'username', next));
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" width={240} trapFocus>
      <Popover.Target>
        <Chip label="User" value={value} onRemove={() => choose('')} onClick={toggle} />
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            choose(draft.trim());
          }}
        >
          <Stack gap="xs">
            <TextInput
              label="Username"
              size="xs"
              value={draft}
              onChange={(event) => setDraft(event.currentTarget.value)}
              data-autofocus
              autoComplete="off"
              spellCheck={false}
            />
            <Group gap="xs" grow>
              <Button type="submit" size="xs">
                Show
              </Button>
              <Button size="xs" variant="default" onClick={() => choose('me')}>
                Only me
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
