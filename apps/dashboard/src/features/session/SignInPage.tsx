import { Alert, Anchor, Button, Divider, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTitle } from '../appearance/use-title.ts';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PasswordSignIn } from './PasswordSignIn.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import { safeRedirect } from './safe-redirect.ts';
import { SessionLayout } from './SessionLayout.tsx';
import { SignOnError } from './SignOnError.tsx';

/** The ways in that this server has. */
export function SignInPage(): React.JSX.Element {
  useTitle('Sign in');
  const search = useSearch({ from: '/login' });
  const methods = useQuery(trpc.auth.methods.queryOptions({}, { meta: { anonymous: true } }));
  return (
    <SessionLayout>
      <Stack>
        <Title order={1} size="h2">
          Sign in
        </Title>
        {search.error !== undefined ? (
          <SignOnError code={search.error} />
        ) : (
          search.expired === true && <Alert color="yellow">Your session has ended. Sign in again to go on where you were.</Alert>
        )}
        {methods.isError ? (
          <ErrorNotice error={methods.error} title="Signing in is not possible right now" onRetry={() => void methods.refetch()} />
        ) : methods.data === undefined ? (
          <Skeleton height={196} role="status" aria-label="Loading the ways to sign in" />
        ) : (
          <Ways methods={methods.data} redirect={safeRedirect(search.redirect) ?? '/workspaces'} />
        )}
      </Stack>
    </SessionLayout>
  );
}

function Ways({ methods, redirect }: { methods: Outputs['auth']['methods']; redirect: string }): React.JSX.Element {
  const { providers, password, password_reset, terms_of_service_url: terms } = methods;
  const [isOwner, { open: showForOwner }] = useDisclosure(false);
  const hasProviders = providers.length > 0;
  const isPasswordShown = password.enabled || isOwner || !hasProviders;
  return (
    <Stack>
      {hasProviders && <ProviderButtons providers={providers} redirect={redirect} />}
      {hasProviders && isPasswordShown && <Divider label="or with a password" />}
      {isPasswordShown ? (
        <PasswordSignIn redirect={redirect} mayReset={password_reset.enabled} hasFocus={!hasProviders || isOwner} />
      ) : (
        <Button variant="subtle" size="xs" onClick={showForOwner}>
          I own this server: use my password
        </Button>
      )}
      {terms !== '' && (
        <Text size="xs" c="dimmed" ta="center">
          By signing in you accept the{' '}
          <Anchor href={terms} target="_blank" rel="noreferrer" underline="always" inherit>
            terms of service
          </Anchor>
          .
        </Text>
      )}
    </Stack>
  );
}
