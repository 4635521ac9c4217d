import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** What of the search chooses a tab, and so which form is shown. */
const TAB_KEYS = ['tab', 'from'];

function isElsewhere(current: Place, next: Place): boolean {
  return current.pathname !== next.pathname || TAB_KEYS.some((key) => Reflect.get(current.search, key) !== Reflect.get(next.search, key));
}

interface LeaveGuardProps {
  /** Asked when the user leaves. */
  readonly isUnfinished: () => boolean;
  /** Whether to ask as well before the browser closes or reloads the page. */
  readonly isUnloadGuarded: () => boolean;
  readonly title: string;
  /** What happens to the changes. */
  readonly children: React.ReactNode;
  /** The button that leaves. */
  readonly leave: string;
  readonly isLoss: boolean;
}

/** Asks before the user leaves unfinished work for another page or tab. Navigation with `ignoreBlocker` is not asked about. */
export function LeaveGuard({ isUnfinished, isUnloadGuarded, title, children, leave, isLoss }: LeaveGuardProps): React.JSX.Element {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnfinished() && isElsewhere(current, next),
    enableBeforeUnload: isUnloadGuarded,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text size="sm">{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.reset?.()}>
            Stay
          </Button>
          <Button {...(isLoss ? { color: 'red.8' } : {})} onClick={() => blocker.proceed?.()}>
            {leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The same for a form whose changes nothing keeps. Every form in a tab or on a page of settings has one. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }): React.JSX.Element {
  return (
    <LeaveGuard
      isUnfinished={() => isDirty}
      isUnloadGuarded={() => isDirty}
      title="Discard unsaved changes?"
      leave="Discard changes"
      isLoss
    >
      This form has changes that are not saved. If you leave, they are lost.
    </LeaveGuard>
  );
}
