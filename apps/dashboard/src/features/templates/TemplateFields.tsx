import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Outputs } from '../../api/trpc.ts';
import type { TemplateNames } from './template-form.ts';

interface Props {
  readonly form: UseFormReturnType<TemplateNames>;
  /** Where the template may be put; not asked for a template that is somewhere, or when there is one place only. */
  readonly organizations?: Outputs['organizations']['list'];
}

/** What a template is called and how it shows itself. */
export function TemplateFields({ form, organizations = [] }: Props): React.JSX.Element {
  return (
    <>
      {organizations.length > 1 && (
        <Select
          label="Organization"
          description="Its members may use the template."
          allowDeselect={false}
          data={organizations.map(({ id, name, display_name: title }) => ({ value: id, label: title === '' ? name : title }))}
          {...form.getInputProps('organization')}
        />
      )}
      <TextInput
        label="Name"
        description="In addresses: lower-case letters, digits and hyphens."
        required
        {...form.getInputProps('name')}
      />
      <TextInput label="Display name" description="What people read. Optional." {...form.getInputProps('display_name')} />
      <TextInput label="Description" description="One sentence on its card." maxLength={127} {...form.getInputProps('description')} />
      <TextInput label="Icon" description="A path on this server, such as /icon/node.svg. Optional." {...form.getInputProps('icon')} />
    </>
  );
}
