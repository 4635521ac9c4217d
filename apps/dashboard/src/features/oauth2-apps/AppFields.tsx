import { Radio, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export interface AppValues {
  readonly name: string;
  readonly callback_url: string;
  readonly icon: string;
  readonly client_type: 'confidential' | 'public';
}

/** What an application is called and where people come back to it. */
export function AppFields({ form }: { form: UseFormReturnType<AppValues> }): React.JSX.Element {
  return (
    <>
      <TextInput label="Name" description="People see it when they are asked to give access." required {...form.getInputProps('name')} />
      <TextInput
        label="Callback address"
        description="Where people are sent back to. It has to match letter by letter."
        placeholder="https://ci.example.com/oauth/callback"
        required
        {...form.getInputProps('callback_url')}
      />
      <Radio.Group
        label="Kind"
        value={form.values.client_type}
        onChange={(value) => form.setFieldValue('client_type', value === 'public' ? 'public' : 'confidential')}
      >
        <Stack gap="xs" mt={6}>
          <Radio
            value="confidential"
            label="Confidential: runs on a server"
            description="It keeps a secret, and proves with it that it is itself."
          />
          <Radio
            value="public"
            label="Public: runs on a device or in a browser"
            description="It can keep no secret; each sign-in is proved with PKCE instead."
          />
        </Stack>
      </Radio.Group>
      <TextInput label="Icon" description="A path on this server, such as /icon/folder.svg. Optional." {...form.getInputProps('icon')} />
    </>
  );
}
