import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';

interface Props {
  readonly icon: React.ReactNode;
  readonly title: string;
  readonly children?: React.ReactNode;
  readonly action?: React.ReactNode;
  /** True where this is all that the page says. */
  readonly isPage?: boolean;
}

/** A page without content yet, and the one step that gives it some. */
export function EmptyState({ icon, title, children, action, isPage = false }: Props): React.JSX.Element {
  return (
    <Center py="xl">
      <Stack align="center" gap="sm" maw={460} ta="center">
        <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
          {icon}
        </ThemeIcon>
        <Title order={isPage ? 1 : 2} size="h2" {...(isPage ? { tabIndex: -1 } : {})}>
          {title}
        </Title>
        {children !== undefined && (
          <Text component="div" c="dimmed" size="sm">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}
