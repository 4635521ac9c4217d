import '@xterm/xterm/css/xterm.css';
import { Alert, Box, Button, Group, Loader, Text } from '@mantine/core';
import { FitAddon } from '@xterm/addon-fit';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'react';
import { TerminalConnection } from './terminal-connection.ts';
import type { TerminalState } from './terminal-connection.ts';
import { renewTerminalId, terminalId } from './terminal-id.ts';
import { TERMINAL_FONT, TERMINAL_THEME } from './terminal-look.ts';
import classes from './TerminalView.module.css';

interface Props {
  readonly agentId: string;
  readonly label: string;
}

/** A shell in the workspace. It outlives this view: whoever comes back in the same tab finds it as it was. */
export function TerminalView({ agentId, label }: Props): React.JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const connection = useRef<TerminalConnection>(undefined);
  const [state, setState] = useState<TerminalState>('connecting');
  const [shell, setShell] = useState(() => terminalId(sessionStorage, agentId));
  useEffect(() => {
    if (box.current === null) return undefined;
    const opened = openTerminal({ box: box.current, agentId, shell, label, onState: setState });
    connection.current = opened.connection;
    return opened.close;
  }, [agentId, shell, label]);
  return (
    <Box className={classes['frame']}>
      <div ref={box} className={classes['screen']} data-state={state} />
      <TerminalNotice
        state={state}
        onRetry={() => connection.current?.retry()}
        onNewShell={() => setShell(renewTerminalId(sessionStorage, agentId))}
      />
    </Box>
  );
}

interface NoticeProps {
  readonly state: TerminalState;
  readonly onRetry: () => void;
  readonly onNewShell: () => void;
}

/** What is wrong with the connection, small, in a corner, so that the last output stays readable. */
function TerminalNotice({ state, onRetry, onNewShell }: NoticeProps): React.JSX.Element | null {
  if (state === 'open') return null;
  return (
    <Alert className={classes['notice']} p="xs" variant="filled" color="dark" role="status">
      {state === 'ended' ? (
        <Group gap="sm">
          <Text size="sm">The shell has ended.</Text>
          <Button size="compact-xs" onClick={onNewShell}>
            New shell
          </Button>
        </Group>
      ) : (
        <Group gap="sm">
          <Loader size={12} color="gray" />
          <Text size="sm">{state === 'connecting' ? 'Connecting…' : 'Connection lost. The shell goes on; connecting again…'}</Text>
          {state === 'reconnecting' && (
            <Button size="compact-xs" variant="default" onClick={onRetry}>
              Now
            </Button>
          )}
        </Group>
      )}
    </Alert>
  );
}

interface OpenOptions {
  readonly box: HTMLElement;
  readonly agentId: string;
  readonly shell: string;
  readonly label: string;
  readonly onState: (state: TerminalState) => void;
}

/** Puts a terminal into `box` and connects it; what it returns takes it away again. */
function openTerminal({ box, agentId, shell, label, onState }: OpenOptions): { connection: TerminalConnection; close: () => void } {
  const terminal = new Terminal({
    ...TERMINAL_FONT,
    theme: TERMINAL_THEME,
    cursorBlink: true,
    scrollback: 10_000,
    allowProposedApi: false,
    macOptionIsMeta: true,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(new WebLinksAddon());
  terminal.open(box);
  terminal.textarea?.setAttribute('aria-label', label);
  fit.fit();
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey || event.code !== 'KeyC' || !terminal.hasSelection()) return true;
    event.preventDefault();
    void navigator.clipboard?.writeText(terminal.getSelection());
    return false;
  });

  const connection = new TerminalConnection({
    size: { width: terminal.cols, height: terminal.rows },
    url: ({ width, height }) => {
      const query = new URLSearchParams({ reconnect: shell, width: String(width), height: String(height) });
      return `${location.origin.replace(/^http/, 'ws')}/api/v2/workspaceagents/${agentId}/pty?${query}`;
    },
    onState,
    onAttach: () => terminal.reset(),
    onOutput: (bytes) => terminal.write(bytes),
  });
  terminal.onData((data) => connection.write(data));
  terminal.onResize(({ cols, rows }) => connection.resize({ width: cols, height: rows }));
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(box);
  // Cells are measured with the font that is there; measure again when ours has come.
  void document.fonts.load(`${TERMINAL_FONT.fontSize}px ${TERMINAL_FONT.fontFamily}`).then(() => {
    terminal.options.fontFamily = `${TERMINAL_FONT.fontFamily}, monospace`;
    fit.fit();
  });
  terminal.focus();
  return {
    connection,
    close: () => {
      observer.disconnect();
      connection.close();
      terminal.dispose();
    },
  };
}
