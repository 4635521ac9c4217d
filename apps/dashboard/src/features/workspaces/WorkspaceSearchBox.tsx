import { ActionIcon, Group, Menu, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { PRESETS } from './search-presets.ts';

const TYPING_PAUSE_MS = 350;

interface Props {
  readonly q: string;
  readonly onSearch: (q: string) => void;
}

/** The search language in one box, with common searches beside it. Searches as soon as typing pauses. */
export function WorkspaceSearchBox({ q, onSearch }: Props): React.JSX.Element {
  const [draft, setDraft] = useState(q);
  const searchSoon = useDebouncedCallback((next: string) => {
    // A term that is only half typed would be refused.
    if (!next.endsWith(':')) onSearch(next.trim());
  }, TYPING_PAUSE_MS);
  return (
    <Group gap="xs" wrap="nowrap">
      <form
        role="search"
        style={{ flex: 1 }}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(draft.trim());
        }}
      >
        <TextInput
          type="search"
          aria-label="Search workspaces"
          placeholder="Search: owner:me status:running template:node-web"
          leftSection={<IconSearch size={16} />}
          value={draft}
          onChange={(event) => {
            setDraft(event.currentTarget.value);
            searchSoon(event.currentTarget.value);
          }}
        />
      </form>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Tooltip label="Common searches">
            <ActionIcon variant="default" size={36} aria-label="Common searches">
              <IconFilter size={18} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {PRESETS.map(({ label, q: preset }) => (
            <Menu.Item
              key={preset}
              onClick={() => {
                setDraft(preset);
                onSearch(preset);
              }}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
