import { Anchor, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from '../session/session.ts';
import { useSignOut } from '../session/use-sign-out.ts';

/** Whose access is given, and the way to give another account's. `redirect`: this page, to come back to. */
export function SignedInAs({ redirect }: { redirect: string }): React.JSX.Element {
  const { data: me } = useSuspenseQuery(meQuery());
  const signOut = useSignOut(redirect);
  return (
    <Text size="sm" c="dimmed" ta="center" className="wrap-anywhere">
      You are signed in as{' '}
      <Text span fw={600} c="var(--mantine-color-text)" inherit>
        {me.username}
      </Text>{' '}
      ({me.email}).{' '}
      <Anchor component="button" type="button" inherit underline="always" disabled={signOut.isPending} onClick={() => signOut.mutate({})}>
        Use another account
      </Anchor>
    </Text>
  );
}
