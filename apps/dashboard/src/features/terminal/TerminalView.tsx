import { Alert, Box, Button, Group, Loader, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { OpenedTerminal, TerminalPlace } from './open-terminal.ts';
import { openTerminal } from './open-terminal.ts';
import type { TerminalState } from './terminal-connection.ts';
import type { TerminalCommand } from './terminal-keys.ts';
import type { TerminalScheme } from './terminal-look.ts';
import { TerminalSearch } from './TerminalSearch.tsx';
import classes from './TerminalView.module.css';

interface Props extends TerminalPlace {
  readonly label: string;
  /** Whether it is in front; the others go on behind it. */
  readonly isShown: boolean;
  readonly scheme: TerminalScheme;
  readonly fontSize: number;
  readonly isSearching: boolean;
  readonly onSearchEnd: () => void;
  readonly onTitle: (title: string) => void;
  readonly onCommand: (command: TerminalCommand) => void;
  /** Another shell in place of the one that has ended; without it there is no other. */
  readonly onRenew?: (() => void) | undefined;
  /** The server does not let this person in any more. */
  readonly onRefused?: (() => void) | undefined;
}

interface Condition {
  readonly state: TerminalState;
  readonly reason: string;
}

/** A shell in the workspace. It outlives this view: whoever comes back to its id finds it as it was. */
export function TerminalView({ label, isShown, scheme, fontSize, isSearching, onSearchEnd, onRenew, ...place }: Props): React.JSX.Element {
  const { agentId, shell, command, isReadOnly } = place;
  const box = useRef<HTMLDivElement>(null);
  const [{ state, reason }, setCondition] = useState<Condition>({ state: 'connecting', reason: '' });
  const tellTitle = useEffectEvent(place.onTitle);
  const tellState = useEffectEvent((next: TerminalState, why: string) => {
    setCondition({ state: next, reason: why });
    if (next === 'refused') place.onRefused?.();
  });
  const tellCommand = useEffectEvent(place.onCommand);
  const [terminal, setTerminal] = useState<OpenedTerminal>();
  useEffect(() => {
    if (box.current === null) return undefined;
    const opened = openTerminal({
      box: box.current,
      agentId,
      shell,
      command,
      isReadOnly,
      label,
      onState: (next, why) => tellState(next, why),
      onTitle: (title) => tellTitle(title),
      onCommand: (pressed) => tellCommand(pressed),
    });
    setTerminal(opened);
    return opened.close;
  }, [agentId, shell, command, isReadOnly, label]);
  useEffect(() => terminal?.setLook({ scheme, fontSize }), [terminal, scheme, fontSize]);
  useEffect(() => {
    if (isShown && !isSearching) terminal?.focus();
  }, [terminal, isShown, isSearching]);
  return (
    <Box className={classes['frame']} data-shown={isShown} data-scheme={scheme} inert={!isShown}>
      <div
        ref={box}
        className={classes['screen']}
        data-state={state}
        data-view={isReadOnly || undefined}
        data-testid={isShown ? 'terminal' : undefined}
      />
      {isShown && isSearching && terminal !== undefined && <TerminalSearch terminal={terminal} onEnd={onSearchEnd} />}
      {isShown && <TerminalNotice state={state} reason={reason} onRetry={() => terminal?.retry()} onRenew={onRenew} />}
    </Box>
  );
}

interface NoticeProps extends Condition {
  readonly onRetry: () => void;
  readonly onRenew: (() => void) | undefined;
}

/** What is wrong with the connection, small, in a corner, so that the last output stays readable. */
function TerminalNotice({ state, reason, onRetry, onRenew }: NoticeProps): React.JSX.Element | null {
  if (state === 'open') return null;
  return (
    <Alert className={classes['notice']} p="xs" variant="filled" color="dark" role="status">
      <Group gap="sm">
        {(state === 'connecting' || state === 'reconnecting') && <Loader size={12} color="gray" />}
        <Text size="sm">{sentence(state, reason)}</Text>
        {state === 'reconnecting' && (
          <Button size="compact-xs" variant="default" onClick={onRetry}>
            Now
          </Button>
        )}
        {state === 'ended' && onRenew !== undefined && (
          <Button size="compact-xs" onClick={onRenew} autoFocus>
            Start a new one
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function sentence(state: Exclude<TerminalState, 'open'>, reason: string): string {
  switch (state) {
    case 'connecting':
      return 'Connecting…';
    case 'reconnecting':
      return 'Connection lost. The shell goes on; connecting again…';
    case 'ended':
      return reason === '' ? 'The shell has ended.' : reason;
    case 'refused':
      return reason === '' ? 'This terminal is not open to you.' : reason;
  }
}
