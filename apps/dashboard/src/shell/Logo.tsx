import { Group, Text } from '@mantine/core';

/** The mark and the name. */
export function Logo({ size = 26 }: { size?: number }): React.JSX.Element {
  return (
    <Group gap={size / 3} wrap="nowrap">
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--mantine-color-harbour-8)" />
        <path
          d="M16 6.5v15M11.5 11h9M7 18c1 5 5 7.5 9 7.5S24 23 25 18"
          fill="none"
          stroke="#fff"
          strokeWidth="2.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <Text fw={700} fz={size * 0.68} lh={1} style={{ letterSpacing: '-0.02em' }}>
        Berth
      </Text>
    </Group>
  );
}
