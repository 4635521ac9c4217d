import { ActionIcon, Group, Menu, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

const TYPING_PAUSE_MS = 350;

export interface SearchPreset {
  readonly label: string;
  readonly q: string;
}

interface Props {
  /** What the box searches: "Search workspaces". */
  readonly label: string;
  readonly placeholder: string;
  readonly q: string;
  readonly onSearch: (q: string) => void;
  /** Searches that people make all day. */
  readonly presets?: readonly SearchPreset[];
}

/** A search in one box, with common searches beside it. Searches as soon as typing pauses. */
export function SearchBox({ label, placeholder, q, onSearch, presets = [] }: Props): React.JSX.Element {
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
          aria-label={label}
          placeholder={placeholder}
          leftSection={<IconSearch size={16} />}
          value={draft}
          onChange={(event) => {
            setDraft(event.currentTarget.value);
            searchSoon(event.currentTarget.value);
          }}
        />
      </form>
      {presets.length > 0 && (
        <Menu position="bottom-end" width={260}>
          <Menu.Target>
            <Tooltip label="Common searches">
              <ActionIcon variant="default" size={36} aria-label="Common searches">
                <IconFilter size={18} />
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>
            {presets.map((preset) => (
              <Menu.Item
                key={preset.label}
                onClick={() => {
                  setDraft(preset.q);
                  onSearch(preset.q);
                }}
              >
                {preset.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
