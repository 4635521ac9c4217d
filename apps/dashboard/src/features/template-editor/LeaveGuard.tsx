import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';

interface Props {
  /** Whether there is something that could get lost, asked when somebody leaves. */
  readonly isUnfinished: () => boolean;
  /** Whether this device keeps it. */
  readonly isKept: boolean;
}

/** Asks whoever leaves with unfinished work, also when the whole page goes. */
export function LeaveGuard({ isUnfinished, isKept }: Props): React.JSX.Element {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnfinished() && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnfinished() && !isKept,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave the editor?"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text size="sm">
          {isKept
            ? 'What you changed is not published. This device keeps it, and the editor of this version goes on with it.'
            : 'What you changed is not published, and it is too much for this device to keep. It would be lost.'}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => blocker.reset?.()}>
            Stay
          </Button>
          <Button color={isKept ? undefined : 'red'} onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
