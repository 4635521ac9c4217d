import { Badge, Button, Select, Text } from '@mantine/core';
import type { PortProtocol, SharingLevel } from '@berth/domain';
import { PORT_PROTOCOLS, SHARING_LEVELS } from '@berth/domain';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyValue } from '../../ui/CopyValue.tsx';
import type { AppHost, AppPlace } from './app-url.ts';
import { portUrl } from './app-url.ts';
import classes from './PortRow.module.css';
import type { ShownPort } from './ports.ts';
import { levelsUpTo } from './ports.ts';
import { SHARING_WORDS } from './sharing-words.ts';
import type { PortChange } from './use-ports.ts';

interface Props {
  readonly shown: ShownPort;
  /** Whether it is opened and shared as an app, so that the row has no controls of its own. */
  readonly isApp: boolean;
  readonly place: AppPlace;
  readonly host: AppHost | undefined;
  /** The most that the template allows. */
  readonly levelMax: SharingLevel;
  readonly mayShare: boolean;
  readonly isPending: boolean;
  readonly onChange: (change: PortChange) => void;
}

/** One port: where it opens, what it speaks and who else may open it. */
export function PortRow({ shown, isApp, place, host, levelMax, mayShare, isPending, onChange }: Props): React.JSX.Element {
  const { port, process, isListening, apps, share } = shown;
  const [chosen, setChosen] = useState<PortProtocol>('http');
  const protocol = share?.protocol ?? chosen;
  const level = share?.share_level ?? 'owner';
  const url = portUrl({ port, protocol }, place, host ?? '');
  const allowed = levelsUpTo(levelMax);
  return (
    <li className={classes['row']} aria-label={`Port ${port}`}>
      <div className={classes['what']}>
        <Text span size="sm" fw={600} className="tabular">
          {port}
        </Text>{' '}
        <Text span size="sm" c="dimmed" className="wrap-anywhere">
          {process}
        </Text>{' '}
        {apps.map((name) => (
          <Badge key={name} mr={4}>
            App {name}
          </Badge>
        ))}
        {!isListening && <Badge color="gray">not listening</Badge>}
      </div>
      {!isApp && (
        <div className={classes['controls']}>
          <Select
            size="xs"
            w={84}
            aria-label={`What port ${port} speaks`}
            allowDeselect={false}
            data={[...PORT_PROTOCOLS]}
            value={protocol}
            disabled={isPending || (share !== undefined && !mayShare)}
            onChange={(next) => {
              const speaks = PORT_PROTOCOLS.find((known) => known === next);
              if (speaks === undefined || speaks === protocol) return;
              setChosen(speaks);
              if (share !== undefined) onChange({ port, level, protocol: speaks });
            }}
          />
          {mayShare && (
            <Select
              size="xs"
              w={218}
              aria-label={`Who else opens port ${port}`}
              allowDeselect={false}
              disabled={isPending}
              data={SHARING_LEVELS.map((value) => ({
                value,
                label: allowed.includes(value) ? SHARING_WORDS[value] : `${SHARING_WORDS[value]} (not in this template)`,
                disabled: !allowed.includes(value),
              }))}
              value={level}
              onChange={(next) => {
                const wanted = SHARING_LEVELS.find((known) => known === next);
                if (wanted !== undefined && wanted !== level) onChange({ port, level: wanted, protocol });
              }}
            />
          )}
          {url !== undefined && (
            <>
              <CopyValue value={`${location.protocol}${url}`} label={`Copy the address of port ${port}`} />
              <Button
                size="compact-sm"
                variant="default"
                component="a"
                href={url}
                target="_blank"
                rel="noreferrer"
                aria-label={`Open port ${port}`}
                rightSection={<IconExternalLink size={14} />}
              >
                Open
              </Button>
            </>
          )}
          {url === undefined && host !== undefined && host !== '' && (
            <Text size="xs" c="dimmed">
              No address: the names are too long.
            </Text>
          )}
        </div>
      )}
    </li>
  );
}
