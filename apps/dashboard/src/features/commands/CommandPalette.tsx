import { counted } from '@berth/core';
import { Kbd, Loader, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { Keys } from '../../ui/Keys.tsx';
import type { Command, CommandGroup } from './command.ts';
import classes from './CommandPalette.module.css';
import { palette } from './registry.ts';
import { nextSelected } from './selection.ts';
import { useCommandGroups } from './use-command-groups.tsx';

interface Props {
  readonly onClose: (options: { readonly isDone: boolean }) => void;
  readonly onHelp: () => void;
}

/** One box to go anywhere and do anything: opened from everywhere, driven by the keyboard. */
export function CommandPalette({ onClose, onHelp }: Props): React.JSX.Element {
  const [text, setText] = useState(palette.typedAhead);
  const [moved, setMoved] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const { groups, isSearching } = useCommandGroups(text, onHelp);
  const commands = groups.flatMap((group) => group.commands);
  const selected = commands.find(({ id }) => id === moved) ?? commands[0];
  const idOf = (command: Command): string => `${prefix}${command.id}`;

  const select = (command: Command | undefined): void => {
    if (command === undefined) return;
    setMoved(command.id);
    document.getElementById(idOf(command))?.scrollIntoView({ block: 'nearest' });
  };
  const run = (command: Command): void => {
    onClose({ isDone: true });
    command.run();
  };
  const handleKey = (event: React.KeyboardEvent): void => {
    // While an input method composes, its keys are its own.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (selected !== undefined) run(selected);
      return;
    }
    const next = nextSelected(event.key, { index: selected === undefined ? -1 : commands.indexOf(selected), count: commands.length });
    if (next === null) return;
    event.preventDefault();
    select(commands[next]);
  };

  return (
    <Modal.Root
      opened
      onClose={() => onClose({ isDone: false })}
      size={640}
      yOffset="10dvh"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label="Search and commands" radius="md">
        <TextInput
          className={classes['input'] ?? ''}
          role="combobox"
          aria-label="Search, or say what to do"
          aria-expanded={commands.length > 0}
          aria-controls={`${prefix}list`}
          aria-autocomplete="list"
          aria-activedescendant={selected === undefined ? undefined : idOf(selected)}
          placeholder="Search, or say what to do: stop api, new node-web, dark"
          leftSection={<IconSearch size={18} />}
          leftSectionWidth={44}
          rightSection={isSearching ? <Loader size={16} aria-hidden /> : null}
          value={text}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onChange={(event) => {
            setText(event.currentTarget.value);
            setMoved(null);
            list.current?.scrollTo({ top: 0 });
          }}
          onKeyDown={handleKey}
        />
        <div ref={list} id={`${prefix}list`} className={classes['list']} role="listbox" aria-label="Results">
          {groups.map((group, index) => (
            <Group key={`${group.title}:${index}`} group={group} headingId={`${prefix}heading${index}`}>
              {group.commands.map((command) => (
                <Option
                  key={command.id}
                  id={idOf(command)}
                  command={command}
                  isSelected={command === selected}
                  onPoint={() => setMoved(command.id)}
                  onRun={() => run(command)}
                />
              ))}
            </Group>
          ))}
        </div>
        {commands.length === 0 && (
          <Text size="sm" c="dimmed" ta="center" px="md" pb="lg">
            {isSearching ? 'Searching…' : `Nothing matches “${text.trim()}”. Try a part of a name, or a page.`}
          </Text>
        )}
        <VisuallyHidden role="status">{isSearching ? '' : countWords(commands.length)}</VisuallyHidden>
        <div className={classes['foot']} aria-hidden>
          <span>
            <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose
          </span>
          <span>
            <Kbd size="xs">Enter</Kbd> go
          </span>
          <span>
            <Kbd size="xs">Esc</Kbd> close
          </span>
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

function countWords(count: number): string {
  if (count === 0) return 'Nothing matches';
  return counted(count, 'result');
}

function Group({ group, headingId, children }: { group: CommandGroup; headingId: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <div role="group" aria-labelledby={headingId}>
      <div id={headingId} className={classes['heading']} role="presentation">
        {group.title}
      </div>
      {children}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly command: Command;
  readonly isSelected: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function Option({ id, command, isSelected, onPoint, onRun }: OptionProps): React.JSX.Element {
  return (
    // The keyboard is the input's, which has the focus all the time.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div id={id} className={classes['option']} role="option" aria-selected={isSelected} onMouseMove={onPoint} onClick={onRun}>
      <span className={classes['icon']} aria-hidden>
        {command.icon}
      </span>
      <span className={classes['title']}>{command.title}</span>
      <span className={classes['detail']}>{command.detail}</span>
      {command.keys !== undefined && (
        <span className={classes['keys']} aria-hidden>
          <Keys keys={command.keys} size="xs" />
        </span>
      )}
    </div>
  );
}
