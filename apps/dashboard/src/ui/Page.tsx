import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useTitle } from '../features/appearance/use-title.ts';

interface Props {
  readonly title: string;
  /** In the browser's tab, when the heading alone would not say enough there. */
  readonly documentTitle?: string;
  /** Beside the heading. */
  readonly icon?: React.ReactNode;
  readonly subtitle?: React.ReactNode;
  readonly actions?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** The frame of every page: heading, what can be done here, content. */
export function Page({ title, documentTitle, icon, subtitle, actions, children }: Props): React.JSX.Element {
  useTitle(documentTitle ?? title);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start" miw={0}>
          {icon}
          <Box miw={0}>
            <Title order={1} tabIndex={-1} className="wrap-anywhere">
              {title}
            </Title>
            {subtitle !== undefined && (
              <Text component="div" c="dimmed" size="sm" mt={2}>
                {subtitle}
              </Text>
            )}
          </Box>
        </Group>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
