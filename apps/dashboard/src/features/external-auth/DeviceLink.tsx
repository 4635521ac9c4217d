import { Alert, Button, Code, Group, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { hostOf, webAddress } from '../oauth2/callback-host.ts';
import { countdown } from './device-poll.ts';
import type { DeviceLinkState } from './use-device-link.ts';
import { useDeviceLink } from './use-device-link.ts';

/** Links an account by a code that is entered at the service, on this or any other device. */
export function DeviceLink({ id, name }: { id: string; name: string }): React.JSX.Element {
  const { state, again } = useDeviceLink(id);
  switch (state.kind) {
    case 'loading':
      return <Skeleton height={130} role="status" aria-label="Getting a code" />;
    case 'failed':
      return <ErrorNotice error={state.error} title={`${name} did not link your account`} onRetry={again} />;
    case 'over':
      return (
        <Alert color="yellow" role="alert" title={state.reason === 'expired' ? 'The code is no longer good' : 'The service said no'}>
          <Stack gap="xs" align="flex-start">
            {state.reason === 'expired' ? 'It was not entered in time.' : 'You refused it there, or may not link your account.'}
            <Button size="xs" variant="default" onClick={again}>
              Get another code
            </Button>
          </Stack>
        </Alert>
      );
    case 'waiting':
      return <Waiting name={name} state={state} />;
  }
}

function Waiting({
  name,
  state: { code, expiresAt },
}: {
  name: string;
  state: Extract<DeviceLinkState, { kind: 'waiting' }>;
}): React.JSX.Element {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 1000, { autoInvoke: true });
  const address = webAddress(code.verification_uri);
  return (
    <Stack>
      <Text size="sm">Copy this code, then enter it at {hostOf(code.verification_uri)}:</Text>
      <Group gap="xs">
        <Code fz="xl" fw={700} px="md" py={6} style={{ letterSpacing: '0.12em' }} aria-label="The code to enter">
          {code.user_code}
        </Code>
        <CopyValue value={code.user_code} label="Copy the code" />
      </Group>
      {address !== undefined && (
        <Group>
          <Button component="a" href={address} target="_blank" rel="noreferrer">
            Open {name}
          </Button>
        </Group>
      )}
      <Group gap="xs" role="status">
        <Loader size={14} aria-hidden />
        <Text size="sm" c="dimmed">
          Waiting for you to enter it. This page goes on by itself.
        </Text>
        <Text size="sm" c="dimmed" className="tabular" aria-hidden>
          {countdown(expiresAt - now)}
        </Text>
      </Group>
    </Stack>
  );
}
