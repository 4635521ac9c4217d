import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ProxyValues } from './proxy-words.ts';

interface Props {
  readonly form: UseFormReturnType<ProxyValues>;
  /** False for the server itself, whose name is fixed. */
  readonly hasName: boolean;
}

/** What a proxy is called. */
export function ProxyFields({ form, hasName }: Props): React.JSX.Element {
  return (
    <>
      {hasName && (
        <TextInput
          label="Name"
          description="Short, as commands use it: lisbon."
          required
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('name')}
        />
      )}
      <TextInput label="Display name" description="As people see it. Optional." {...form.getInputProps('display_name')} />
      <TextInput
        label="Icon"
        description="A path on this server or an https address, such as a flag. Optional."
        {...form.getInputProps('icon')}
      />
    </>
  );
}
