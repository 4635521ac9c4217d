import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';

interface Props {
  /** The name of the role. */
  readonly name: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
}

/** Deletes a custom role once its name was typed. */
export function DeleteRole({ name, isPending, error, onConfirm }: Props): React.JSX.Element {
  const [isOpen, disclosure] = useDisclosure(false);
  return (
    <>
      <Button color="red" variant="light" onClick={disclosure.open}>
        Delete role…
      </Button>
      <TypedConfirm
        isOpen={isOpen}
        onClose={disclosure.close}
        title={`Delete ${name}`}
        name={name}
        action="Delete role"
        isPending={isPending}
        error={error}
        onConfirm={onConfirm}
      >
        <Text size="sm">Whoever holds it loses what it grants at once.</Text>
      </TypedConfirm>
    </>
  );
}
