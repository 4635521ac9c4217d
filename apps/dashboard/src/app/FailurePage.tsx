import { Container, VisuallyHidden } from '@mantine/core';
import { IconMap } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
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

/** For an address that no page has; there is no shell around it. */
export function NotFoundPage(): React.JSX.Element {
  return (
    <main>
      <EmptyState
        icon={<IconMap size={24} />}
        title="There is nothing here"
        isPage
        action={<ButtonLink to="/workspaces">Go to your workspaces</ButtonLink>}
      >
        The address is mistyped, or what it named is gone, or you may not see it.
      </EmptyState>
    </main>
  );
}
