import { Box, Center, Stack, Text } from '@mantine/core';
import { Logo } from '../../shell/Logo.tsx';

/** The frame of the pages before sign-in. */
export function SessionLayout({ children }: { children: React.ReactNode }): React.JSX.Element {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Stack align="center" gap={4}>
          <Logo size={44} />
          <Text c="dimmed" size="sm">
            Development workspaces, self-hosted
          </Text>
        </Stack>
        <Box className="surface" p="lg">
          {children}
        </Box>
      </Stack>
    </Center>
  );
}
