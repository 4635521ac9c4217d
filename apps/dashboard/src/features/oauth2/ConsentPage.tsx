import { Alert, Button, Code, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouterState, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../appearance/use-title.ts';
import { problemOf } from '../../api/errors.ts';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { SessionLayout } from '../session/SessionLayout.tsx';
import { Answer } from './Answer.tsx';
import { AppHeading } from './AppHeading.tsx';
import { hostOf, webAddress } from './callback-host.ts';
import { invalidRequestReason } from './invalid-request.ts';
import { SignedInAs } from './SignedInAs.tsx';

/** Asks whether an application may act for the person who came. What is wrong with the request is said here; nobody is sent anywhere for it. */
export function ConsentPage(): React.JSX.Element {
  const request = useSearch({ from: '/session/oauth2/authorize' });
  const authorization = useQuery(trpc.oauth2.authorization.queryOptions(request, { retry: false, staleTime: 0 }));
  useTitle('Allow access?');
  return (
    <SessionLayout>
      {authorization.isError ? (
        <Invalid error={authorization.error} onRetry={() => void authorization.refetch()} />
      ) : authorization.data === undefined ? (
        <Stack align="center" role="status" aria-label="Loading the request">
          <Skeleton height={52} width={52} />
          <Skeleton height={26} width="70%" />
          <Skeleton height={120} />
          <Skeleton height={36} />
        </Stack>
      ) : (
        <Question authorization={authorization.data} request={request} />
      )}
    </SessionLayout>
  );
}

/** A request that names no application, or an address that is not its own: nobody is sent there, not even with the refusal. */
function Invalid({ error, onRetry }: { error: unknown; onRetry: () => void }): React.JSX.Element {
  const reason = invalidRequestReason(problemOf(error));
  return (
    <Stack>
      <Title order={1} size="h2">
        {reason === undefined ? 'The request could not be checked' : 'This link does not work'}
      </Title>
      {reason === undefined ? (
        <ErrorNotice error={error} title="Nothing was given to anybody" onRetry={onRetry} />
      ) : (
        <Alert color="red" icon={<IconAlertTriangle />} role="alert" title="Nothing was given to anybody">
          {reason}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        Go back to the application and begin again there. If that does not help, tell whoever runs it what stands here.
      </Text>
    </Stack>
  );
}

interface QuestionProps {
  readonly authorization: Outputs['oauth2']['authorization'];
  readonly request: { readonly client_id: string };
}

function Question({ authorization, request }: QuestionProps): React.JSX.Element {
  const { app, scopes, redirect_uri, has_consent, refusal } = authorization;
  const href = useRouterState({ select: ({ location }) => location.href });
  const host = hostOf(redirect_uri);
  const [isLeaving, setIsLeaving] = useState(false);
  const answer = useMutation(
    trpc.oauth2.approve.mutationOptions({
      onSuccess: ({ redirect_url }) => {
        const address = webAddress(redirect_url);
        if (address === undefined) return;
        setIsLeaving(true);
        location.assign(address);
      },
    }),
  );
  if (refusal !== null) return <Refused authorization={authorization} refusal={refusal} />;
  return (
    <Stack>
      <AppHeading app={app}>Allow {app.name} to act for you?</AppHeading>
      <SignedInAs redirect={href} />
      {has_consent && <Alert color="teal">You gave it this much before.</Alert>}
      <Answer
        scopes={scopes}
        no="Cancel"
        onAnswer={(approve) => answer.mutate({ ...request, approve })}
        pending={answer.isPending || isLeaving ? answer.variables?.approve : undefined}
        error={answer.error}
      />
      <Text size="xs" c="dimmed" ta="center" className="wrap-anywhere">
        Either way you go on to <Code>{host}</Code>. You can take the access away again under Account, Authorized apps.
      </Text>
    </Stack>
  );
}

interface RefusedProps {
  readonly authorization: QuestionProps['authorization'];
  readonly refusal: NonNullable<QuestionProps['authorization']['refusal']>;
}

/** The application asks for something that cannot be given. It learns so only when the person chooses to go back to it. */
function Refused({ authorization: { app, redirect_uri }, refusal }: RefusedProps): React.JSX.Element {
  const address = webAddress(refusal.redirect_url);
  return (
    <Stack>
      <AppHeading app={app}>{app.name} asks for what cannot be given</AppHeading>
      <Alert color="red" role="alert" title="Its request is not valid">
        <Code>{refusal.error}</Code>: {refusal.error_description}. Whoever runs {app.name} can mend that; you cannot.
      </Alert>
      {address !== undefined && (
        <Button component="a" href={address} variant="default">
          Back to {hostOf(redirect_uri)}
        </Button>
      )}
    </Stack>
  );
}
