import { Button, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { nameProblem } from '@berth/domain';
import { IconTerminal2 } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { useTitle } from '../appearance/use-title.ts';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import { allowedLifetimes, lifetimeNanoseconds } from '../account/token-lifetime.ts';
import { SignedInAs } from '../oauth2/SignedInAs.tsx';
import { SessionLayout } from '../session/SessionLayout.tsx';
import { suggestedTokenName } from './token-name.ts';

const FIELDS = ['token_name'] as const;
const DAYS_DEFAULT = '30';

/** Gives the command line a token of the person who came. Nothing is made before they say so. */
export function CliAuthPage(): React.JSX.Element {
  useTitle('Sign in the command line');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const create = useMutation(
    trpc.tokens.create.mutationOptions({ onSuccess: () => queryClient.invalidateQueries(trpc.tokens.list.pathFilter()) }),
  );
  return (
    <SessionLayout>
      <Stack>
        <Stack align="center" gap="xs" ta="center">
          <IconTerminal2 size={36} aria-hidden />
          <Title order={1} size="h2">
            {create.data === undefined ? 'Sign in the command line' : 'The token for the command line'}
          </Title>
        </Stack>
        {create.data === undefined ? (
          <MakeToken
            error={create.error}
            isPending={create.isPending}
            onMake={(token_name, days) => create.mutate({ user: 'me', token_name, lifetime: lifetimeNanoseconds(days), scope: 'all' })}
          />
        ) : (
          <SecretOnce secret={create.data.key} noun="token" onDone={() => void navigate({ to: '/workspaces' })}>
            Paste it where <code>berth login</code> asks for it.
          </SecretOnce>
        )}
      </Stack>
    </SessionLayout>
  );
}

interface MakeTokenProps {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onMake: (name: string, days: string) => void;
}

function MakeToken({ error, isPending, onMake }: MakeTokenProps): React.JSX.Element {
  const href = useRouterState({ select: ({ location }) => location.href });
  const config = useQuery(trpc.tokens.config.queryOptions({ user: 'me' }));
  const [name, setName] = useState(() => suggestedTokenName(new Date()));
  const [chosen, setChosen] = useState(DAYS_DEFAULT);
  const lifetimes = allowedLifetimes(config.data?.max_token_lifetime);
  // A server may allow less than what is chosen at first.
  const days = lifetimes.some(({ value }) => value === chosen) ? chosen : (lifetimes.at(-1)?.value ?? chosen);
  const refused = error === null ? undefined : formErrors(problemOf(error), FIELDS).errors['token_name'];
  const problem = nameProblem('token_name', name) ?? refused;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (nameProblem('token_name', name) === null) onMake(name, days);
      }}
    >
      <Stack>
        <Text size="sm" ta="center">
          A token lets <code>berth</code> do on your computer whatever you may do here. Make one only if you began this yourself.
        </Text>
        <SignedInAs redirect={href} />
        <Refusal error={error} fields={FIELDS} />
        <TextInput
          label="Name"
          description="So that you know it again among your tokens."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
        />
        <Select
          label="Works for"
          data={lifetimes}
          allowDeselect={false}
          value={days}
          onChange={(next) => setChosen(next ?? DAYS_DEFAULT)}
        />
        <Button type="submit" loading={isPending} data-autofocus>
          Create token
        </Button>
        <Text size="xs" c="dimmed" ta="center">
          Came here by hand? Begin on your computer:
        </Text>
        <CommandLine command={`berth login ${location.origin}`} label="Copy the command that signs in" />
        <Text size="xs" c="dimmed" ta="center">
          You can revoke it at any time under{' '}
          <AnchorLink to="/account/tokens" underline="always" inherit>
            Account, API tokens
          </AnchorLink>
          .
        </Text>
      </Stack>
    </form>
  );
}
