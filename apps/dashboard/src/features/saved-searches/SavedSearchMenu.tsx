import type { SavedSearch } from '@berth/api/contract/saved-searches';
import { Button, Menu, Text } from '@mantine/core';
import type { SavedSearchPage } from '@berth/domain';
import { IconBookmark, IconCheck, IconChevronDown, IconDeviceFloppy, IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import type { PresetSearch } from './address.ts';
import { isSameAddress, nameOfAddress } from './address.ts';
import { ManageSearches } from './ManageSearches.tsx';
import { SaveSearch } from './SaveSearch.tsx';
import { useSavedSearches, useUpdateSearch } from './use-saved-searches.ts';

interface Props {
  readonly page: SavedSearchPage;
  /** What stands behind the `?` of the address now: all that a saved search brings back. */
  readonly address: string;
  /** Searches that people make all day. */
  readonly presets: readonly PresetSearch[];
  readonly onOpen: (address: string) => void;
}

/** The searches that everybody makes and those that the reader keeps by a name. They follow their user to every browser. */
export function SavedSearchMenu({ page, address, presets, onOpen }: Props): React.JSX.Element {
  const saved = useSavedSearches(page);
  const update = useUpdateSearch();
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  // The one that was opened last: what is changed since then may be kept under its name.
  const [opened, setOpened] = useState<string>();
  const name = nameOfAddress(address, saved, presets);
  const changed = saved.find((search) => search.id === opened && !isSameAddress(search.address, address));
  const isKept = saved.some((search) => isSameAddress(search.address, address));
  const keepAs = ({ id, name: kept }: SavedSearch): void =>
    update.mutate(
      { user: 'me', savedsearch: id, address },
      {
        onSuccess: () => notifyDone(`“${kept}” is what you see now.`),
        onError: (error) => notifyFailure(`“${kept}” could not be changed`, error),
      },
    );
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} />}
            rightSection={<IconChevronDown size={14} />}
            aria-label={name === undefined ? 'Views' : `Views: ${name}`}
            style={{ flex: 'none' }}
          >
            <Text span size="sm" fw={600} truncate maw={160}>
              {name ?? 'Views'}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          <Menu.Label>For everybody</Menu.Label>
          {presets.map((preset) => (
            <Item
              key={preset.label}
              label={preset.label}
              isShown={isSameAddress(preset.address, address)}
              onClick={() => {
                setOpened(undefined);
                onOpen(preset.address);
              }}
            />
          ))}
          {saved.length > 0 && <Menu.Label>Yours</Menu.Label>}
          {saved.map((search) => (
            <Item
              key={search.id}
              label={search.name}
              isShown={isSameAddress(search.address, address)}
              onClick={() => {
                setOpened(search.id);
                onOpen(search.address);
              }}
            />
          ))}
          <Menu.Divider />
          {changed !== undefined && (
            <Menu.Item leftSection={<IconDeviceFloppy size={16} />} onClick={() => keepAs(changed)}>
              Save as “{changed.name}”
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPlus size={16} />} disabled={isKept || address === ''} onClick={() => setDialog('save')}>
            Save this view…
          </Menu.Item>
          {saved.length > 0 && (
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('manage')}>
              Rename or delete…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' && <SaveSearch page={page} address={address} onClose={() => setDialog(undefined)} onSaved={setOpened} />}
      {dialog === 'manage' && <ManageSearches saved={saved} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function Item({ label, isShown, onClick }: { label: string; isShown: boolean; onClick: () => void }): React.JSX.Element {
  return (
    <Menu.Item
      onClick={onClick}
      aria-current={isShown ? 'true' : undefined}
      rightSection={isShown ? <IconCheck size={14} aria-hidden /> : undefined}
      className="wrap-anywhere"
    >
      {label}
    </Menu.Item>
  );
}
