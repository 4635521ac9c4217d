import { ActionIcon, Box, Button, Group, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconUnlink } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import type { Provider } from '../session/ProviderButtons.tsx';
import { ProviderIcon } from '../session/ProviderButtons.tsx';
import type { Me } from '../session/session.ts';
import { ConvertLogin } from './ConvertLogin.tsx';
import { Section } from './Section.tsx';

type Identity = Outputs['identities']['list'][number];

/** The accounts at providers that sign in as oneself; nothing where the server has none. */
export function SignOnAccounts({ me }: { me: Me }): React.JSX.Element | null {
  const identities = useQuery(trpc.identities.list.queryOptions({ user: 'me' }));
  const methods = useQuery(trpc.auth.methods.queryOptions({}));
  const [isConverting, conversion] = useDisclosure(false);
  const failed = identities.isError ? identities : methods.isError ? methods : undefined;
  const providers = methods.data?.providers ?? [];
  const mayConvert = me.login_type === 'password' && providers.length > 0;
  if (identities.data?.length === 0 && methods.data !== undefined && providers.length === 0) return null;
  return (
    <Section
      title="Sign-on"
      description={DESCRIPTIONS[me.login_type === 'password' ? 'password' : 'provider']}
      actions={
        mayConvert && (
          <Button size="xs" variant="default" onClick={conversion.open}>
            Sign in with a provider…
          </Button>
        )
      }
    >
      {failed !== undefined ? (
        <ErrorNotice error={failed.error} title="The linked accounts could not be loaded" onRetry={() => void failed.refetch()} />
      ) : identities.data === undefined || methods.data === undefined ? (
        <Skeleton height={56} role="status" aria-label="Loading linked accounts" />
      ) : identities.data.length === 0 ? (
        <Text size="sm">No account at a provider is linked to yours.</Text>
      ) : (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Linked accounts">
          {identities.data.map((identity) => (
            <IdentityRow key={identity.id} identity={identity} provider={providers.find(({ id }) => id === identity.provider_id)} />
          ))}
        </Stack>
      )}
      <ConvertLogin providers={providers} isOpen={isConverting} onClose={conversion.close} />
    </Section>
  );
}

const DESCRIPTIONS = {
  password: 'You sign in with your password.',
  provider: 'You sign in with a provider, and have no password here.',
} as const;

function IdentityRow({ identity, provider }: { identity: Identity; provider: Provider | undefined }): React.JSX.Element {
  const queryClient = useQueryClient();
  const name = identity.provider_display_name === '' ? identity.provider_id : identity.provider_display_name;
  const unlink = useMutation(
    trpc.identities.unlink.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${name} is unlinked.`);
        await Promise.all([
          queryClient.invalidateQueries(trpc.identities.pathFilter()),
          queryClient.invalidateQueries(trpc.tokens.pathFilter()),
        ]);
      },
      onError: (error) => notifyFailure(`${name} could not be unlinked`, error),
    }),
  );
  const confirm = (): void => {
    modals.openConfirmModal({
      title: `Unlink ${name}?`,
      children: <Text size="sm">That account no longer signs in as you, and the sessions that it opened end.</Text>,
      labels: { confirm: 'Unlink', cancel: 'Keep it' },
      confirmProps: { color: 'red.8' },
      onConfirm: () => unlink.mutate({ user: 'me', identity: identity.id }),
    });
  };
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Box mt={2} style={{ flexShrink: 0 }}>
        <ProviderIcon provider={provider ?? { type: identity.kind, icon_url: '' }} />
      </Box>
      <Box miw={0} flex={1}>
        <Text size="sm" fw={600}>
          {name}
          {identity.provider_display_name === '' && (
            <Text span size="sm" fw={400} c="dimmed">
              {' '}
              (no longer offered)
            </Text>
          )}
        </Text>
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {identity.subject} at {identity.issuer} · last sign-in <When at={identity.updated_at} />
        </Text>
      </Box>
      <Tooltip label={`Unlink ${name}`}>
        <ActionIcon variant="subtle" color="red" aria-label={`Unlink ${name}`} loading={unlink.isPending} onClick={confirm}>
          <IconUnlink size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
