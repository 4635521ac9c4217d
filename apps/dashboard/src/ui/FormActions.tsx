import { Button, Group } from '@mantine/core';

interface Props {
  /** On the button that sends the form: "Create user". */
  readonly submit: string;
  readonly isPending: boolean;
  readonly onCancel: () => void;
  readonly isDisabled?: boolean;
}

/** The end of a form in a dialog. */
export function FormActions({ submit, isPending, onCancel, isDisabled = false }: Props): React.JSX.Element {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" disabled={isDisabled} loading={isPending}>
        {submit}
      </Button>
    </Group>
  );
}
