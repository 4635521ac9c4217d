import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { TypedConfirm } from '../../ui/TypedConfirm.tsx';
import { Section } from './Section.tsx';

interface Props {
  /** What it is: "organization". */
  readonly noun: string;
  /** Which one; has to be typed. */
  readonly name: string;
  /** When it is possible at all. */
  readonly description: string;
  /** What goes with it, and that there is no way back. */
  readonly warning: string;
  readonly remove: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void };
  readonly onDelete: () => void;
}

/** The end of something, behind its name. */
export function DeleteSection({ noun, name, description, warning, remove, onDelete }: Props): React.JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Section
      title="Delete"
      description={description}
      actions={
        <Button color="red" variant="light" onClick={open}>
          Delete {noun}…
        </Button>
      }
    >
      <TypedConfirm
        isOpen={isOpen}
        onClose={() => {
          remove.reset();
          close();
        }}
        title={`Delete ${name}`}
        name={name}
        action={`Delete ${noun}`}
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={onDelete}
      >
        <Text size="sm">{warning}</Text>
      </TypedConfirm>
    </Section>
  );
}
