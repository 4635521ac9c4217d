import { Anchor, Group, Text } from '@mantine/core';
import type { Origin } from './parameter-form.ts';

interface Props {
  readonly origin: Origin;
  /** What people read for the parameter. */
  readonly label: string;
  /** Whether there is a default to go back to. */
  readonly hasDefault: boolean;
  readonly onDefault: () => void;
}

const WORDS: Readonly<Record<Origin, string>> = {
  default: '',
  earlier: 'As in your last workspace of this template',
  link: 'From the link',
  own: '',
};

/** Who filled in a field, and the way back to what the template says. */
export function ValueOrigin({ origin, label, hasDefault, onDefault }: Props): React.JSX.Element | null {
  if (origin === 'default' || (origin === 'own' && !hasDefault)) return null;
  return (
    <Group gap={8} mt={6}>
      {WORDS[origin] !== '' && (
        <Text size="xs" c="dimmed">
          {WORDS[origin]}
        </Text>
      )}
      <Anchor
        component="button"
        type="button"
        size="xs"
        aria-label={hasDefault ? `Use the default of ${label}` : `Empty ${label}`}
        onClick={onDefault}
      >
        {hasDefault ? 'Use the default' : 'Empty it'}
      </Anchor>
    </Group>
  );
}
