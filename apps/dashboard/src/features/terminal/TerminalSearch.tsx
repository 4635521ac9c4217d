import { ActionIcon, Group, Paper, Text, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { OpenedTerminal, SearchResult } from './open-terminal.ts';
import classes from './TerminalView.module.css';

interface Props {
  readonly terminal: OpenedTerminal;
  readonly onEnd: () => void;
}

/** Finds text in the scroll-back: Enter goes up, Shift+Enter down, Escape back to the shell. */
export function TerminalSearch({ terminal, onEnd }: Props): React.JSX.Element {
  const [text, setText] = useState('');
  const [found, setFound] = useState<SearchResult>({ at: 0, count: 0 });
  useEffect(() => {
    const stop = terminal.onFound(setFound);
    return () => {
      stop();
      terminal.find('', 'next');
    };
  }, [terminal]);
  return (
    <Paper className={classes['search']} role="search" withBorder>
      <Group gap={4} wrap="nowrap">
        <TextInput
          size="xs"
          w={200}
          miw={0}
          type="search"
          aria-label="Find in the terminal"
          placeholder="Find"
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            terminal.find(event.currentTarget.value, 'previous');
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onEnd();
            if (event.key === 'Enter') terminal.find(text, event.shiftKey ? 'next' : 'previous');
          }}
        />
        <Text size="xs" c="dimmed" miw={52} ta="center" role="status" className="tabular">
          {text === '' ? '' : found.count === 0 ? 'nothing' : found.at > 0 ? `${found.at} of ${found.count}` : `${found.count}+`}
        </Text>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Find further up" onClick={() => terminal.find(text, 'previous')}>
          <IconArrowUp size={14} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Find further down" onClick={() => terminal.find(text, 'next')}>
          <IconArrowDown size={14} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="End the search" onClick={onEnd}>
          <IconX size={14} />
        </ActionIcon>
      </Group>
    </Paper>
  );
}
