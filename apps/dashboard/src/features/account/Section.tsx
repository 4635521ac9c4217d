import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';

interface Props {
  readonly title: string;
  readonly description?: React.ReactNode;
  readonly actions?: React.ReactNode;
  readonly children?: React.ReactNode;
}

/** One subject of an account page. */
export function Section({ title, description, actions, children }: Props): React.JSX.Element {
  const id = useId();
  return (
    <Box component="section" className="surface" p="lg" aria-labelledby={id}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Box miw={0} flex="1 1 240px">
            <Title order={2} id={id}>
              {title}
            </Title>
            {description !== undefined && (
              <Text component="div" c="dimmed" size="sm" mt={2}>
                {description}
              </Text>
            )}
          </Box>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Box>
  );
}
