import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Says what was done, with the way back beside it. */
export function notifyUndo(message: string, onUndo: () => void): void {
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" className="wrap-anywhere">
          {message}
        </Text>
        <Button
          size="compact-xs"
          style={{ flexShrink: 0 }}
          variant="default"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
    color: 'gray',
    autoClose: 8000,
  });
}
