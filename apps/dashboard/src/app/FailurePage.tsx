import { Button, Container, Group, VisuallyHidden } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconMap, IconSearch } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { palette } from '../features/commands/registry.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ButtonLink } from '../ui/links.tsx';

/** What a page shows that could not be shown: a chunk that did not load, an error in our own code, a server that is away. */
export function FailurePage({ error, reset }: ErrorComponentProps): React.JSX.Element {
  const router = useRouter();
  return (
    <Container size="sm" py="xl">
      <ErrorNotice
        error={error}
        title="This page could not be shown"
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </Container>
  );
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
  useDocumentTitle('Nothing here · Berth');
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
