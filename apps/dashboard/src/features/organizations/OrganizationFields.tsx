import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export interface OrganizationValues {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly icon: string;
}

/** What an organization is called and looks like. */
export function OrganizationFields({ form, isNew }: { form: UseFormReturnType<OrganizationValues>; isNew: boolean }): React.JSX.Element {
  return (
    <>
      <TextInput
        label="Name"
        description={
          isNew ? 'Part of addresses. Letters, digits and single hyphens.' : 'Part of addresses: links with the old name stop working.'
        }
        required
        {...(isNew ? { 'data-autofocus': true } : {})}
        {...form.getInputProps('name')}
      />
      <TextInput label="Display name" description="What people read. Optional." {...form.getInputProps('display_name')} />
      <Textarea label="Description" autosize minRows={2} maxRows={6} {...form.getInputProps('description')} />
      <TextInput label="Icon" description="A path on this server, such as /icon/folder.svg. Optional." {...form.getInputProps('icon')} />
    </>
  );
}
