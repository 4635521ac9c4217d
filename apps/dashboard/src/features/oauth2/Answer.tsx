import { Button, Group, Stack, Title } from '@mantine/core';
import { Refusal } from '../../ui/Refusal.tsx';
import { ScopeList } from './ScopeList.tsx';

interface Props {
  readonly scopes: React.ComponentProps<typeof ScopeList>['scopes'];
  /** On the button that gives nothing: "Cancel". */
  readonly no: string;
  readonly onAnswer: (approve: boolean) => void;
  /** The answer that is on its way; undefined while none is. */
  readonly pending: boolean | undefined;
  /** Why the last answer was refused, or null. */
  readonly error: unknown;
}

/** What is asked for, and the two answers to it. */
export function Answer({ scopes, no, onAnswer, pending, error }: Props): React.JSX.Element {
  return (
    <>
      <Stack gap={6}>
        <Title order={2} size="h5">
          It may
        </Title>
        <ScopeList scopes={scopes} />
      </Stack>
      <Refusal error={error} />
      <Group grow>
        <Button variant="default" disabled={pending === true} loading={pending === false} onClick={() => onAnswer(false)}>
          {no}
        </Button>
        <Button disabled={pending === false} loading={pending === true} onClick={() => onAnswer(true)}>
          Allow
        </Button>
      </Group>
    </>
  );
}
