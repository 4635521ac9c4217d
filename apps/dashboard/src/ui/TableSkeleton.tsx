import { Box, Group, Skeleton, Stack } from '@mantine/core';

/** Of a row with two lines of text. */
const ROW_HEIGHT = 'var(--berth-row, 63px)';

/** As high as the rows that will stand here, so that nothing jumps. `label`: "Loading users". */
export function TableSkeleton({ label, rows = 6 }: { label: string; rows?: number }): React.JSX.Element {
  return (
    <Box className="surface" aria-busy="true" aria-label={label} role="status">
      <Stack gap={0}>
        <Box h={40} />
        {Array.from({ length: rows }, (_, row) => (
          <Group key={row} h={ROW_HEIGHT} px="md" gap="sm" wrap="nowrap" style={{ borderTop: '1px solid var(--berth-line)' }}>
            <Skeleton height={32} circle />
            <Skeleton height={14} width="24%" />
            <Skeleton height={18} width={84} />
            <Skeleton height={14} width="18%" visibleFrom="sm" />
          </Group>
        ))}
      </Stack>
    </Box>
  );
}
