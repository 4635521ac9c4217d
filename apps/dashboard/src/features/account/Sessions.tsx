import { counted } from '@berth/core';
import { ActionIcon, Badge, Box, Button, Group, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconDeviceDesktop, IconLogout } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import { Section } from './Section.tsx';
import { browserSessions } from './browser-sessions.ts';

type Session = Outputs['tokens']['listSessions'][number];

const SHOWN_MAX = 50;

/** Where one is signed in, this browser first. */
export function Sessions({ hasPassword }: { hasPassword: boolean }): React.JSX.Element {
  const keys = useQuery(trpc.tokens.listSessions.queryOptions({ user: 'me' }));
  const sessions = browserSessions(keys.data ?? []);
  const others = keys.data?.filter(({ is_current }) => !is_current).length ?? 0;
  return (
    <Section
      title="Sessions"
      description={`Where you are signed in. End what you do not know${hasPassword ? ', then change your password' : ''}.`}
      actions={others > 0 && <EndOthers count={others} />}
    >
      {keys.isError ? (
        <ErrorNotice error={keys.error} title="Your sessions could not be loaded" onRetry={() => void keys.refetch()} />
      ) : keys.data === undefined ? (
        <Skeleton height={120} role="status" aria-label="Loading sessions" />
      ) : sessions.length === 0 ? (
        <Text size="sm">No browser is signed in: you came with a token.</Text>
      ) : (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Sessions">
          {sessions.slice(0, SHOWN_MAX).map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
          {sessions.length > SHOWN_MAX && (
            <Text component="li" size="sm" c="dimmed">
              And {sessions.length - SHOWN_MAX} more.
            </Text>
          )}
        </Stack>
      )}
    </Section>
  );
}

function SessionRow({ session }: { session: Session }): React.JSX.Element {
  const queryClient = useQueryClient();
  const name = session.is_current ? 'This browser' : 'A browser';
  const from = session.last_used_ip === '' ? 'an unknown address' : session.last_used_ip;
  const end = useMutation(
    trpc.tokens.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone('That session has ended.');
        await queryClient.invalidateQueries(trpc.tokens.pathFilter());
      },
      onError: (error) => notifyFailure('The session could not be ended', error),
    }),
  );
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <IconDeviceDesktop size={20} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
      <Box miw={0} flex={1}>
        <Group gap="xs">
          <Text size="sm" fw={600} className="wrap-anywhere">
            {session.is_current ? name : `From ${from}`}
          </Text>
          {session.is_current && <Badge color="teal">current</Badge>}
        </Group>
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {session.is_current && `${from} · `}
          Last used <When at={session.last_used} /> · since <When at={session.created_at} />
          {session.login_type !== 'password' && ' · by a provider'}
        </Text>
      </Box>
      {!session.is_current && (
        <Tooltip label="End this session">
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`End the session from ${from}`}
            loading={end.isPending}
            onClick={() => end.mutate({ user: 'me', keyid: session.id })}
          >
            <IconLogout size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

function EndOthers({ count }: { count: number }): React.JSX.Element {
  const queryClient = useQueryClient();
  const end = useMutation(
    trpc.tokens.deleteAll.mutationOptions({
      onSuccess: async () => {
        notifyDone('Only this browser is signed in now.');
        await queryClient.invalidateQueries();
      },
      onError: (error) => notifyFailure('Not everything could be signed out', error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: 'Sign out everywhere else?',
      children: (
        <Text size="sm">
          {counted(count, 'session, token or application stops', 'sessions, tokens and applications stop')} acting as you at once. This
          includes scripts. This browser stays signed in.
        </Text>
      ),
      labels: { confirm: 'Sign out everywhere else', cancel: 'Keep them' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => end.mutate({ user: 'me', except_current: true }),
    });
  };
  return (
    <Button size="xs" variant="default" loading={end.isPending} onClick={confirm}>
      Sign out everywhere else…
    </Button>
  );
}
