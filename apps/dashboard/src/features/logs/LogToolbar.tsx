import { ActionIcon, Group, Menu, NativeSelect, Switch, Text, TextInput, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCheck, IconDots, IconDownload, IconSearch } from '@tabler/icons-react';
import type { LogFloor } from './log-lines.ts';
import { LOG_FLOORS } from './log-lines.ts';
import classes from './LogView.module.css';
import type { LogOptions } from './use-log-options.ts';
import type { LogRows } from './use-log-rows.ts';

const FLOOR_NAMES: Readonly<Record<LogFloor, string>> = {
  trace: 'All levels',
  info: 'Info and worse',
  warn: 'Warnings and errors',
  error: 'Errors',
};

interface Props {
  /** Which log this is the bar of, for people who do not see it. */
  readonly label: string;
  readonly status: string;
  readonly rows: LogRows;
  readonly searchRef: React.RefObject<HTMLInputElement | null>;
  readonly hasLines: boolean;
  /** Whether lines may still come. */
  readonly grows: boolean;
  readonly isFollowing: boolean;
  readonly options: LogOptions;
  readonly onFollow: (isFollowing: boolean) => void;
  readonly onOptions: (part: Partial<LogOptions>) => void;
  readonly onSearch: (text: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onDownload: () => void;
}

/** Above a log: how it stands, what to look for in it, and how to show it. */
export function LogToolbar(props: Props): React.JSX.Element {
  const { label, status, rows, hasLines, grows, isFollowing, onFollow } = props;
  return (
    <div className={classes['bar']}>
      <Group justify="space-between" px="sm" pt={6} pb={hasLines ? 0 : 6} gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" role="status" truncate>
          {status}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {grows && <Switch size="xs" label="Follow" checked={isFollowing} onChange={(event) => onFollow(event.currentTarget.checked)} />}
          {hasLines && <MoreMenu {...props} />}
        </Group>
      </Group>
      {hasLines && (
        <Group px="sm" pb={6} pt={2} gap={6} justify="space-between">
          <Search {...props} />
          <Group gap={6} wrap="nowrap" className={classes['filters']}>
            <NativeSelect
              size="xs"
              aria-label={`Levels of ${label}`}
              value={rows.filter.floor}
              data={LOG_FLOORS.map((value) => ({ value, label: FLOOR_NAMES[value] }))}
              onChange={({ currentTarget: { value } }) =>
                rows.setFilter({ ...rows.filter, floor: LOG_FLOORS.find((floor) => floor === value) ?? 'trace' })
              }
            />
            {rows.stages.length > 1 && (
              <NativeSelect
                size="xs"
                aria-label={`Stages of ${label}`}
                value={rows.filter.stage ?? ''}
                data={[{ value: '', label: 'All stages' }, ...rows.stages.map((stage) => ({ value: stage, label: stage }))]}
                onChange={({ currentTarget: { value } }) => rows.setFilter({ ...rows.filter, stage: value === '' ? null : value })}
              />
            )}
          </Group>
        </Group>
      )}
    </div>
  );
}

function Search({ label, rows, searchRef, onSearch, onStep }: Props): React.JSX.Element {
  const { text, matches, current } = rows;
  const hasMatches = matches.length > 0;
  return (
    <Group gap={4} wrap="nowrap" className={classes['search']} role="search" aria-label={label}>
      <TextInput
        ref={searchRef}
        size="xs"
        type="search"
        flex={1}
        miw={0}
        leftSection={<IconSearch size={14} />}
        aria-label={`Find in ${label}`}
        placeholder="Find"
        value={text}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') onSearch('');
        }}
      />
      <Text size="xs" c="dimmed" role="status" className={classes['found']}>
        {text === ''
          ? ''
          : hasMatches
            ? `${Math.min(current, matches.length - 1) + 1} of ${matches.length.toLocaleString('en')}`
            : 'nothing'}
      </Text>
      {text !== '' && (
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="The match before"
            disabled={!hasMatches}
            onClick={() => onStep(-1)}
          >
            <IconArrowUp size={14} />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label="The next match" disabled={!hasMatches} onClick={() => onStep(1)}>
            <IconArrowDown size={14} />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}

function MoreMenu({ label, options, onOptions, onDownload }: Props): React.JSX.Element {
  const tick = (isOn: boolean) => <IconCheck size={14} style={{ visibility: isOn ? 'visible' : 'hidden' }} />;
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label="Download as text">
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Download ${label} as text`} onClick={onDownload}>
          <IconDownload size={14} />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`How to show ${label}`}>
            <IconDots size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            role="menuitemcheckbox"
            aria-checked={options.hasTimes}
            leftSection={tick(options.hasTimes)}
            onClick={() => onOptions({ hasTimes: !options.hasTimes })}
          >
            Timestamps
          </Menu.Item>
          <Menu.Item
            role="menuitemcheckbox"
            aria-checked={options.isWrapped}
            leftSection={tick(options.isWrapped)}
            onClick={() => onOptions({ isWrapped: !options.isWrapped })}
          >
            Wrap long lines
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
