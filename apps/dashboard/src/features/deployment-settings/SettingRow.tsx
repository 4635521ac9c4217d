import { Badge, Box, Code, Group, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { CopyValue } from '../../ui/CopyValue.tsx';
import classes from './SettingRow.module.css';
import type { Setting } from './settings.ts';
import { descriptionParts, isSecret, settingId, valueText } from './settings.ts';

const SOURCE_LOOKS = {
  env: { label: 'Environment', color: 'blue' },
  flag: { label: 'Command line', color: 'blue' },
  yaml: { label: 'Settings file', color: 'grape' },
  default: { label: 'Default', color: 'gray' },
  '': { label: 'Default', color: 'gray' },
} as const satisfies Record<Setting['value_source'], { label: string; color: string }>;

interface Props {
  readonly setting: Setting;
  /** Whether the address of the page names this one. */
  readonly isTarget: boolean;
}

/** One setting: what it is called, what holds, why, and what it means. */
export function SettingRow({ setting, isTarget }: Props): React.JSX.Element {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isTarget) row.current?.scrollIntoView({ block: 'center' });
  }, [isTarget]);
  const router = useRouter();
  const id = settingId(setting);
  const link = new URL(router.buildLocation({ to: '/admin/settings', search: { option: id } }).href, location.origin).href;
  const source = SOURCE_LOOKS[setting.value_source];
  return (
    <Box ref={row} className={classes['row']} mod={{ target: isTarget }} role="group" aria-label={setting.name}>
      <Box miw={0}>
        <Group gap={6}>
          <Text size="sm" fw={600}>
            {setting.name}
          </Text>
          <CopyValue value={link} label={`Copy the link to ${setting.name}`} />
        </Group>
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          {descriptionParts(setting.description).map(({ kind, text }, index) => {
            const key = `${index}:${text}`;
            switch (kind) {
              case 'code':
                return <Code key={key}>{text}</Code>;
              case 'emphasis':
                return <em key={key}>{text}</em>;
              case 'text':
                return <span key={key}>{text}</span>;
            }
          })}
        </Text>
      </Box>
      <Box miw={0}>
        <Group gap={6} align="center">
          <Value setting={setting} />
          <Badge color={source.color} variant="light">
            {source.label}
          </Badge>
        </Group>
        <Group gap={4} wrap="nowrap" mt={4}>
          <Text size="xs" c="dimmed" ff="monospace" className="wrap-anywhere">
            {id}
          </Text>
          <CopyValue value={id} label={`Copy ${id}`} />
        </Group>
        {setting.env !== '' && setting.yaml !== '' && (
          <Text size="xs" c="dimmed" className="wrap-anywhere">
            or <span style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>{setting.yaml}</span> in the settings file
          </Text>
        )}
      </Box>
    </Box>
  );
}

function Value({ setting }: { setting: Setting }): React.JSX.Element {
  const text = valueText(setting);
  if (setting.value_source === 'default' && text === '') {
    return (
      <Text size="sm" c="dimmed" className="wrap-anywhere">
        {setting.default}
      </Text>
    );
  }
  if (isSecret(setting)) {
    return (
      <Text size="sm" c="dimmed">
        set, and never shown
      </Text>
    );
  }
  return <Code className="wrap-anywhere">{text}</Code>;
}
