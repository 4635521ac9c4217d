import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { countWords } from './bulk-words.ts';

interface Props {
  readonly verb: string;
  /** How many of them it will be done with. */
  readonly count: number;
  readonly mustType: boolean;
  /** Whether it is known of all what would come of them. */
  readonly isReady: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

export function ConfirmBulk({ verb, count, mustType, isReady, onCancel, onConfirm }: Props): React.JSX.Element {
  const [typed, setTyped] = useState('');
  const asked = `delete ${count}`;
  const isSure = isReady && count > 0 && (!mustType || typed === asked);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isSure) onConfirm();
      }}
    >
      <Stack>
        {mustType && count > 0 && isReady && (
          <>
            <Text size="sm">Their files go with them. This cannot be undone.</Text>
            <TextInput
              label={
                <>
                  Type <Code>{asked}</Code> to confirm
                </>
              }
              aria-label={`Type ${asked} to confirm`}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color={mustType ? 'red.8' : undefined} disabled={!isSure}>
            {verb} {countWords(count)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
