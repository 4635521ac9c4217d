import { Box, Group, Skeleton, Stack } from '@mantine/core';

const ROWS = 6;
const ROW_HEIGHT = 61;

/** As high as the rows that will stand here, so that nothing jumps. */
export function WorkspaceTableSkeleton(): React.JSX.Element {
  return (
    <Box className="surface" aria-busy="true" aria-label="Loading workspaces" role="status">
      <Stack gap={0}>
        <Box h={40} />
        {Array.from({ length: ROWS }, (_, row) => (
          <Group key={row} h={ROW_HEIGHT} px="md" gap="sm" wrap="nowrap" style={{ borderTop: '1px solid var(--berth-line)' }}>
            <Skeleton height={32} width={32} radius="md" />
            <Skeleton height={14} width="22%" />
            <Skeleton height={18} width={84} />
            <Skeleton height={14} width="18%" visibleFrom="sm" />
          </Group>
        ))}
      </Stack>
    </Box>
  );
}
