import type { KbdProps } from '@mantine/core';
import { Kbd, Text } from '@mantine/core';

/** Keys that are pressed one after the other. */
export function Keys({ keys, size = 'sm' }: { keys: readonly string[]; size?: NonNullable<KbdProps['size']> }): React.JSX.Element {
  return (
    <>
      {keys.map((key, index) => (
        <span key={key}>
          {index > 0 && (
            <Text span size="xs" c="dimmed" mx={4}>
              then
            </Text>
          )}
          <Kbd size={size}>{key}</Kbd>
        </span>
      ))}
    </>
  );
}
