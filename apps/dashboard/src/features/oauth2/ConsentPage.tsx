import { Alert, Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouterState, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { SessionLayout } from '../session/SessionLayout.tsx';
import { AppHeading } from './AppHeading.tsx';
import { hostOf, webAddress } from './callback-host.ts';
import { ScopeList } from './ScopeList.tsx';
import { SignedInAs } from './SignedInAs.tsx';

/** Asks whether an application may act for the person who came. What is wrong with the request is said here; nobody is sent anywhere for it. */
export function ConsentPage(): React.JSX.Element {
  const request = useSearch({ from: '/session/oauth2/authorize' });
  const authorization = useQuery(trpc.oauth2.authorization.queryOptions(request, { retry: false, staleTime: 0 }));
  useDocumentTitle('Allow access? · Berth');
  return (
    <SessionLayout>
      {authorization.isError ? (
        <Stack>
          <Title order={1} size="h2">
            This link does not work
          </Title>
          <ErrorNotice
            error={authorization.error}
            title="The application’s request is not valid"
            onRetry={() => void authorization.refetch()}
          />
          <Text size="sm" c="dimmed">
            Nothing was given to anybody. Go back to the application and try again; if that does not help, tell whoever runs it what stands
            here.
          </Text>
        </Stack>
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
      <Stack gap={6}>
        <Title order={2} size="h5">
          It may
        </Title>
        <ScopeList scopes={scopes} />
      </Stack>
      <Refusal error={answer.error} />
      <Group grow>
        <Button
          variant="default"
          disabled={isLeaving || (answer.isPending && answer.variables.approve)}
          loading={answer.isPending && !answer.variables.approve}
          onClick={() => answer.mutate({ ...request, approve: false })}
        >
          Cancel
        </Button>
        <Button
          disabled={answer.isPending && !answer.variables.approve}
          loading={isLeaving || (answer.isPending && answer.variables.approve)}
          onClick={() => answer.mutate({ ...request, approve: true })}
        >
          Allow
        </Button>
      </Group>
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
