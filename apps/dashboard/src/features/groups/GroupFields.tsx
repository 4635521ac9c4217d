import { NumberInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { GroupValues } from './group-form.ts';
import { QUOTA_MAX } from './group-form.ts';

interface Props {
  readonly form: UseFormReturnType<GroupValues>;
  readonly isNew?: boolean;
  /** The group of all members keeps its names. */
  readonly isEveryone?: boolean;
  readonly isReadOnly?: boolean;
}

/** What a group is called, and what it allows its members to use. */
export function GroupFields({ form, isNew = false, isEveryone = false, isReadOnly = false }: Props): React.JSX.Element {
  return (
    <>
      {!isEveryone && (
        <>
          <TextInput
            label="Name"
            description="What sign-on sync and programs call it."
            required
            readOnly={isReadOnly}
            {...(isNew ? { 'data-autofocus': true } : {})}
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Display name"
            description="What people read. Optional."
            readOnly={isReadOnly}
            {...form.getInputProps('display_name')}
          />
        </>
      )}
      <NumberInput
        label="Quota allowance"
        description="Credits that it adds for each member. A running workspace uses the daily cost of its resources."
        min={0}
        max={QUOTA_MAX}
        allowDecimal={false}
        thousandSeparator=","
        readOnly={isReadOnly}
        {...form.getInputProps('quota_allowance')}
      />
    </>
  );
}
