import { Button, Checkbox, Divider, Popover, SegmentedControl, Select, Stack } from '@mantine/core';
import type { WorkspaceSort } from '@berth/domain';
import { WORKSPACE_SORT_KEYS } from '@berth/domain';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { DENSITIES, setDensity, useDevicePreferences } from '../../../ui/device-preferences.ts';
import type { ColumnKey } from './columns.ts';
import { COLUMN_KEYS, COLUMN_LOOKS, SORT_LABELS, firstSort, nextSort } from './columns.ts';

interface Props {
  readonly view: 'table' | 'cards';
  readonly sort: WorkspaceSort | undefined;
  readonly columns: readonly ColumnKey[];
  readonly onView: (view: 'table' | 'cards') => void;
  readonly onSort: (sort: WorkspaceSort | undefined) => void;
  readonly onColumns: (columns: readonly ColumnKey[]) => void;
}

const USUAL = 'usual';

const SORT_OPTIONS = [
  { value: USUAL, label: 'Favorites, then running' },
  ...WORKSPACE_SORT_KEYS.flatMap((key) => {
    const first = firstSort(key);
    const isTime = first !== key;
    const second = nextSort(key, first) ?? key;
    return [
      { value: first, label: `${SORT_LABELS[key]}${isTime ? ', latest first' : ''}` },
      { value: second, label: `${SORT_LABELS[key]}, ${isTime ? 'oldest first' : 'from the end'}` },
    ];
  }),
];

/** How the list is shown: as what, in which order, with which columns, how close together. */
export function DisplayMenu({ view, sort, columns, onView, onSort, onColumns }: Props): React.JSX.Element {
  const { density } = useDevicePreferences();
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconAdjustmentsHorizontal size={16} />} style={{ flex: 'none' }}>
          Display
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Display">
        <Stack gap="sm">
          <SegmentedControl
            fullWidth
            aria-label="Layout"
            value={view}
            onChange={onView}
            data={[
              { value: 'table', label: 'Table' },
              { value: 'cards', label: 'Cards' },
            ]}
          />
          <Select
            label="Sort by"
            data={SORT_OPTIONS}
            value={sort ?? USUAL}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(value) =>
              onSort(SORT_OPTIONS.some((option) => option.value === value) && value !== USUAL ? sortOf(value) : undefined)
            }
          />
          <Select
            label="Density"
            description="In this browser, on all pages."
            data={DENSITIES.map(({ value, label }) => ({ value, label }))}
            value={density}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            onChange={(value) => setDensity(value === 'compact' ? 'compact' : 'comfortable')}
          />
          {view === 'table' && (
            <>
              <Divider />
              <Checkbox.Group
                label="Columns"
                description="As far as the screen has room for them."
                value={[...columns]}
                onChange={(chosen) => onColumns(COLUMN_KEYS.filter((key) => chosen.includes(key)))}
              >
                <Stack gap={8} mt={8}>
                  {COLUMN_KEYS.map((key) => (
                    <Checkbox
                      key={key}
                      size="xs"
                      value={key}
                      label={COLUMN_LOOKS[key].label}
                      disabled={columns.length === 1 && columns[0] === key}
                    />
                  ))}
                </Stack>
              </Checkbox.Group>
            </>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function sortOf(value: string | null): WorkspaceSort | undefined {
  return WORKSPACE_SORT_KEYS.flatMap((key) => [key, `-${key}`] as const).find((sort) => sort === value);
}
