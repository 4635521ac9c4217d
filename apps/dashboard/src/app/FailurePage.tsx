import { Alert, Button, Code, Container, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconMap, IconRefresh, IconSearch } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { useTitle } from '../features/appearance/use-title.ts';
import { palette } from '../features/commands/registry.ts';
import { CopyValue } from '../ui/CopyValue.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { failureOf } from './page-failure.ts';

/** What a page shows that could not be shown, and what helps then. */
export function FailurePage({ error, reset }: ErrorComponentProps): React.JSX.Element {
  const router = useRouter();
  const again = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <Container size="sm" py="xl">
      <Failure error={error} onRetry={again} />
    </Container>
  );
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }): React.JSX.Element {
  switch (failureOf(error)) {
    case 'call':
      return <ErrorNotice error={error} title="This page could not be shown" onRetry={onRetry} />;
    case 'part':
      return (
        <Alert color="yellow" icon={<IconRefresh />} title="A part of this page did not load" role="alert">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">Berth may have been updated since you opened it, or your connection was interrupted.</Text>
            <Button size="xs" variant="default" onClick={() => location.reload()}>
              Load the page again
            </Button>
          </Stack>
        </Alert>
      );
    case 'fault': {
      const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      return (
        <Alert color="red" icon={<IconAlertTriangle />} title="This page has a fault" role="alert">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              It is not your doing, and nothing of yours is lost. Whoever looks after Berth will want to know what it says:
            </Text>
            <Group gap={4} wrap="nowrap" maw="100%">
              <Code className="wrap-anywhere">{words}</Code>
              <CopyValue value={`${words}\n${location.href}`} label="Copy what it says" />
            </Group>
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={onRetry}>
                Try again
              </Button>
              <ButtonLink size="xs" variant="subtle" to="/workspaces">
                Go to your workspaces
              </ButtonLink>
            </Group>
          </Stack>
        </Alert>
      );
    }
  }
}

/** The same where there is no shell around it yet. */
export function StandaloneFailure(props: ErrorComponentProps): React.JSX.Element {
  return (
    <main>
      <VisuallyHidden component="h1">Berth</VisuallyHidden>
      <FailurePage {...props} />
    </main>
  );
}

/** For an address that no page has. */
export function NotFoundPage(): React.JSX.Element {
  useTitle('Nothing here');
  return (
    <EmptyState
      icon={<IconMap size={24} />}
      title="There is nothing here"
      isPage
      action={
        <Group justify="center" gap="sm">
          <ButtonLink to="/workspaces">Go to your workspaces</ButtonLink>
          <Button variant="default" leftSection={<IconSearch size={16} />} onClick={palette.open}>
            Search
          </Button>
        </Group>
      }
    >
      The address is mistyped, or what it named is gone, or you may not see it.
    </EmptyState>
  );
}

/** The same where there is no shell around it. */
export function StandaloneNotFound(): React.JSX.Element {
  return (
    <main>
      <EmptyState icon={<IconMap size={24} />} title="There is nothing here" isPage action={<ButtonLink to="/">To Berth</ButtonLink>}>
        The address is mistyped, or what it named is gone.
      </EmptyState>
    </main>
  );
}
