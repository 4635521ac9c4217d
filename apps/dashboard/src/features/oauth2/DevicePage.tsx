import { Button, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../appearance/use-title.ts';
import { isKind, problemOf } from '../../api/errors.ts';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { SessionLayout } from '../session/SessionLayout.tsx';
import { Answer } from './Answer.tsx';
import { AppHeading } from './AppHeading.tsx';
import { SignedInAs } from './SignedInAs.tsx';
import { formatUserCode, isWholeUserCode } from './user-code.ts';

type Decision = Outputs['oauth2']['approveDevice']['status'];

/** Lets a device that has no browser of its own act for the person who came. */
export function DevicePage(): React.JSX.Element {
  const { user_code } = useSearch({ from: '/session/device' });
  const [decision, setDecision] = useState<Decision>();
  const [code, setCode] = useState(() => (isWholeUserCode(user_code ?? '') ? formatUserCode(user_code ?? '') : ''));
  const device = useQuery(
    trpc.oauth2.device.queryOptions(
      { user_code: code },
      { enabled: code !== '' && decision === undefined, retry: false, staleTime: Infinity },
    ),
  );
  useTitle('Connect a device');
  return (
    <SessionLayout>
      {decision !== undefined ? (
        <Decided decision={decision} name={device.data?.app.name ?? 'The device'} />
      ) : device.data !== undefined && code !== '' ? (
        <Question device={device.data} onDecided={setDecision} />
      ) : device.isFetching ? (
        <Stack align="center" role="status" aria-label="Looking for the device">
          <Skeleton height={52} width={52} />
          <Skeleton height={26} width="70%" />
          <Skeleton height={120} />
        </Stack>
      ) : (
        <EnterCode
          initial={code === '' ? (user_code ?? '') : code}
          error={device.error}
          onEntered={setCode}
          onRetry={() => void device.refetch()}
        />
      )}
    </SessionLayout>
  );
}

interface EnterCodeProps {
  readonly initial: string;
  /** Why the code that was entered before led nowhere. */
  readonly error: unknown;
  readonly onEntered: (code: string) => void;
  readonly onRetry: () => void;
}

function EnterCode({ initial, error, onEntered, onRetry }: EnterCodeProps): React.JSX.Element {
  const navigate = useNavigate();
  const first = formatUserCode(initial);
  const [typed, setTyped] = useState(first);
  const isSame = typed === first && error !== null;
  const refusal = !isSame
    ? undefined
    : isKind(error, 'not_found')
      ? 'No device waits with this code. It may be mistyped, used or older than 15 minutes.'
      : problemOf(error).message;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWholeUserCode(typed)) return;
        if (isSame) onRetry();
        else onEntered(typed);
        // Reloading, and signing in as somebody else, comes back to it.
        void navigate({ to: '/device', search: { user_code: typed }, replace: true });
      }}
    >
      <Stack>
        <div>
          <Title order={1} size="h2">
            Connect a device
          </Title>
          <Text size="sm" c="dimmed">
            Type the code that it shows. You see what it asks for before anything is given.
          </Text>
        </div>
        <TextInput
          label="Code"
          placeholder="BDFG-HJKL"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          size="lg"
          value={typed}
          error={refusal}
          onChange={(event) => setTyped(formatUserCode(event.currentTarget.value))}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: '0.15em', textAlign: 'center' } }}
        />
        <Button type="submit" disabled={!isWholeUserCode(typed)}>
          Continue
        </Button>
      </Stack>
    </form>
  );
}

interface QuestionProps {
  readonly device: Outputs['oauth2']['device'];
  readonly onDecided: (decision: Decision) => void;
}

function Question({ device: { app, scopes, user_code }, onDecided }: QuestionProps): React.JSX.Element {
  const href = useRouterState({ select: ({ location }) => location.href });
  const decide = useMutation(trpc.oauth2.approveDevice.mutationOptions({ onSuccess: ({ status }) => onDecided(status) }));
  return (
    <Stack>
      <AppHeading app={app}>Allow a device with {app.name}?</AppHeading>
      <Text size="sm" ta="center">
        Does it show{' '}
        <Text span ff="monospace" fw={700} inherit>
          {user_code}
        </Text>
        ? If somebody sent you this code, do not allow it: they would act as you.
      </Text>
      <SignedInAs redirect={href} />
      <Answer
        scopes={scopes}
        no="Deny"
        onAnswer={(approve) => decide.mutate({ user_code, approve })}
        pending={decide.isPending ? decide.variables.approve : undefined}
        error={decide.error}
      />
    </Stack>
  );
}

function Decided({ decision, name }: { decision: Decision; name: string }): React.JSX.Element {
  const back = (
    <ButtonLink to="/workspaces" variant="default">
      Go to your workspaces
    </ButtonLink>
  );
  switch (decision) {
    case 'approved':
      return (
        <EmptyState icon={<IconCircleCheck size={24} />} title={`${name} is connected`} isPage action={back}>
          Go back to the device: it goes on within a few seconds. You can take its access away under Account, Authorized apps.
        </EmptyState>
      );
    case 'denied':
      return (
        <EmptyState icon={<IconCircleX size={24} />} title={`${name} was denied`} isPage action={back}>
          The device got nothing. If you did not begin this yourself, somebody may have tried to act as you.
        </EmptyState>
      );
  }
}
