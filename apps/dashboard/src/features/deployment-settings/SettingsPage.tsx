import { Button, Group, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Section } from '../account/Section.tsx';
import { SettingRow } from './SettingRow.tsx';
import { settingId, settingsByGroup } from './settings.ts';
import { SOURCES } from './sources.ts';

const FROM = '/session/shell/admin/settings';

/** What the server was told at its start, and where each value comes from. */
export function SettingsPage(): React.JSX.Element {
  const config = useQuery(trpc.deployment.config.queryOptions({}));
  const { q = '', source, option } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: '/admin/settings' });
  const look = (search: { q?: string; source?: (typeof SOURCES)[number] | undefined }): void =>
    void navigate({ search: (last) => ({ ...last, option: undefined, ...search }), replace: true });
  const groups = settingsByGroup(config.data?.options ?? [], { q, source });
  return (
    <Page
      title="Settings"
      subtitle="Of the server that answers, as it read them at its start. They are changed in its environment or its settings file, and by a restart."
    >
      <Group gap="sm" align="center">
        <Stack flex="1 1 260px" gap={0}>
          {/* A new search from elsewhere begins a new draft. */}
          <SearchBox
            key={option}
            label="Search settings"
            placeholder="Name, variable or value"
            q={q}
            onSearch={(next) => look({ q: next })}
          />
        </Stack>
        <SegmentedControl
          aria-label="Which settings"
          value={source ?? 'all'}
          onChange={(value) => look({ source: SOURCES.find((known) => known === value) })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'set', label: 'Set here' },
            { value: 'default', label: 'Default' },
          ]}
        />
      </Group>
      {config.isError ? (
        <ErrorNotice error={config.error} title="The settings could not be loaded" onRetry={() => void config.refetch()} />
      ) : config.data === undefined ? (
        <Skeleton height={420} radius="md" />
      ) : groups.length === 0 ? (
        <EmptyState
          icon={<IconSearchOff size={24} />}
          title="No setting is like that"
          action={
            <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
              Show all settings
            </Button>
          }
        />
      ) : (
        groups.map(([group, settings]) => (
          <Section key={group} title={group}>
            <Stack gap={0}>
              {settings.map((setting) => (
                <SettingRow key={settingId(setting)} setting={setting} isTarget={settingId(setting) === option} />
              ))}
            </Stack>
          </Section>
        ))
      )}
    </Page>
  );
}
