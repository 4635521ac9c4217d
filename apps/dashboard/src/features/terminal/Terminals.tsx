import { ActionIcon, Button, Center, Code, Group, Menu, Stack, Text, Tooltip, useComputedColorScheme } from '@mantine/core';
import { IconDots, IconPencil, IconSearch, IconTextDecrease, IconTextIncrease, IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { notifyUndo } from '../../ui/notify-undo.tsx';
import { RenameShell } from './RenameShell.tsx';
import type { Shell } from './shells.ts';
import { shellLabel } from './shells.ts';
import { ShellTabs } from './ShellTabs.tsx';
import type { TerminalCommand } from './terminal-keys.ts';
import classes from './Terminals.module.css';
import { TerminalView } from './TerminalView.tsx';
import { useFontSize } from './use-font-size.ts';
import type { ShellsAddress } from './use-shells.ts';
import { useShells } from './use-shells.ts';

interface Props {
  readonly agentId: string;
  /** Whose terminals they are, for people who do not see them: the name of the workspace. */
  readonly workspaceName: string;
  /** What an app runs in a terminal; empty for a login shell. */
  readonly commandOf: (app: string) => string;
  readonly address: ShellsAddress;
  readonly onAddress: (address: ShellsAddress) => void;
  readonly onRefused?: () => void;
  /** More that can be done with the terminal in front, as items of its menu. */
  readonly menuFor?: (shell: Shell) => React.ReactNode;
}

/** The open terminals of an agent: their tabs, and the one in front. All of them stay connected. */
export function Terminals({ agentId, workspaceName, commandOf, address, onAddress, onRefused, menuFor }: Props): React.JSX.Element {
  const shells = useShells({ agentId, address, onAddress });
  // Undoing comes later, when other terminals may have come and gone.
  const latest = useRef(shells);
  useEffect(() => {
    latest.current = shells;
  });
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const { fontSize, change: changeFontSize } = useFontSize();
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map());
  const [isSearching, setSearching] = useState(false);
  const [renamed, setRenamed] = useState<number>();
  const panelId = useId();
  const active = shells.all[shells.active];
  const labels = shells.all.map((shell, index) => shellLabel(shell, index, titles.get(shell.id)));
  const close = (index: number): void => {
    const shell = shells.all[index];
    if (shell === undefined) return;
    shells.close(index);
    notifyUndo(`${labels[index] ?? 'The terminal'} is closed.`, () => latest.current.reopen(shell, index));
  };
  const obey = (command: TerminalCommand): void => {
    if (command.kind === 'show') shells.show(command.index);
    else if (command.kind === 'open') shells.open();
    else if (command.kind === 'search') setSearching(true);
  };
  return (
    <div className={classes['frame']}>
      <ShellTabs
        labels={labels}
        active={shells.active}
        panelId={panelId}
        isFull={shells.isFull}
        onShow={shells.show}
        onOpen={shells.open}
        onClose={close}
        onRename={setRenamed}
      >
        <Tooltip label="Find in the terminal (Ctrl+Shift+F)">
          <ActionIcon variant="subtle" color="gray" aria-label="Find in the terminal" onClick={() => setSearching(!isSearching)}>
            <IconSearch size={16} />
          </ActionIcon>
        </Tooltip>
        <Menu position="bottom-end" width={230}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label="More for this terminal">
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setRenamed(shells.active)}>
              Rename…
            </Menu.Item>
            <Menu.Item leftSection={<IconTextIncrease size={16} />} closeMenuOnClick={false} onClick={() => changeFontSize(1)}>
              Larger text
            </Menu.Item>
            <Menu.Item leftSection={<IconTextDecrease size={16} />} closeMenuOnClick={false} onClick={() => changeFontSize(-1)}>
              Smaller text
            </Menu.Item>
            {active !== undefined && menuFor?.(active)}
            <Menu.Divider />
            <Menu.Item leftSection={<IconX size={16} />} onClick={() => close(shells.active)}>
              Close
            </Menu.Item>
            <Menu.Divider />
            <Menu.Label>Copy with Ctrl+Shift+C, paste with Ctrl+Shift+V, go to another terminal with Ctrl+Shift+1 to 9.</Menu.Label>
          </Menu.Dropdown>
        </Menu>
      </ShellTabs>
      <div id={panelId} className={classes['panel']} role="tabpanel" aria-label={labels[shells.active]}>
        {shells.all.map((shell, index) =>
          shells.mayRun(shell) ? (
            <TerminalView
              key={shell.id}
              agentId={agentId}
              shell={shell.id}
              command={shell.app === '' ? '' : commandOf(shell.app)}
              isReadOnly={false}
              label={`Terminal of ${workspaceName}`}
              isShown={index === shells.active}
              scheme={scheme}
              fontSize={fontSize}
              isSearching={isSearching}
              onSearchEnd={() => setSearching(false)}
              onTitle={(title) => setTitles((known) => new Map(known).set(shell.id, title))}
              onCommand={obey}
              onRenew={() => shells.renew(index)}
              onRefused={onRefused}
            />
          ) : (
            index === shells.active && (
              <RunQuestion key={shell.id} app={shell.app} command={commandOf(shell.app)} onRun={() => shells.allowRun(shell)} />
            )
          ),
        )}
      </div>
      <RenameShell
        name={renamed === undefined ? undefined : (shells.all[renamed]?.name ?? '')}
        onRename={(name) => {
          if (renamed !== undefined) shells.rename(renamed, name);
          setRenamed(undefined);
        }}
        onClose={() => setRenamed(undefined)}
      />
    </div>
  );
}

interface RunQuestionProps {
  readonly app: string;
  /** Empty when there is no such app any more. */
  readonly command: string;
  readonly onRun: () => void;
}

/** An address may be anybody's: what it would run is shown first. */
function RunQuestion({ app, command, onRun }: RunQuestionProps): React.JSX.Element {
  return (
    <Center h="100%" p="md">
      <Stack align="center" gap="sm">
        {command === '' ? (
          <Text size="sm">The template has no command called {app} any more. Run opens a shell instead.</Text>
        ) : (
          <>
            <Text size="sm">This link runs a command in the workspace:</Text>
            <Code block maw="100%">
              {command}
            </Code>
          </>
        )}
        <Group>
          <Button size="xs" onClick={onRun}>
            Run
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
