import { Button, Stack } from '@mantine/core';
import { IconGitBranch, IconShieldLock } from '@tabler/icons-react';
import type { Outputs } from '../../api/trpc.ts';
import { signOnAddress } from './sign-on-address.ts';

export type Provider = Outputs['auth']['methods']['providers'][number];

interface Props {
  readonly providers: readonly Provider[];
  /** A path of this site to come back to. */
  readonly redirect: string;
}

/** One door for each provider. They leave the dashboard, so they are plain links. */
export function ProviderButtons({ providers, redirect }: Props): React.JSX.Element {
  return (
    <Stack gap="xs">
      {providers.map((provider) => (
        <Button
          key={provider.id}
          component="a"
          href={signOnAddress(provider, { redirect })}
          variant="default"
          fullWidth
          leftSection={<ProviderIcon provider={provider} />}
        >
          Continue with {provider.display_name}
        </Button>
      ))}
    </Stack>
  );
}

/** The provider's own picture, or one of its type. Says nothing that the name beside it does not. */
export function ProviderIcon({ provider: { icon_url, type } }: { provider: Pick<Provider, 'icon_url' | 'type'> }): React.JSX.Element {
  if (icon_url !== '') return <img src={icon_url} alt="" width={18} height={18} style={{ objectFit: 'contain' }} />;
  return type === 'codehost' ? <IconGitBranch size={18} aria-hidden /> : <IconShieldLock size={18} aria-hidden />;
}
