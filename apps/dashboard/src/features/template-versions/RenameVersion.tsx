import { Modal, Stack, TextInput, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { nameProblem } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { FormActions } from '../../ui/FormActions.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { useTemplatesChanged } from './use-version-change.ts';
import type { Version } from './version-words.ts';

const FIELDS = ['name', 'message'] as const;

interface Props {
  readonly version: Version;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called with the new name before anything is read again: the version's address may have changed. */
  readonly onRenamed?: (name: string) => Promise<void>;
}

/** Changes what a version is called and what is said about it. */
export function RenameVersion({ isOpen, ...form }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={form.onClose} title={`Rename ${form.version.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <RenameForm {...form} />
    </Modal>
  );
}

function RenameForm({ version, onClose, onRenamed }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const changed = useTemplatesChanged();
  const form = useForm({
    initialValues: { name: version.name, message: version.message },
    validateInputOnBlur: true,
    validate: { name: (value) => nameProblem('template_version_name', value.trim()) },
  });
  const save = useMutation(
    trpc.templateVersions.update.mutationOptions({
      onSuccess: async (saved) => {
        onClose();
        notifyDone('The version is saved.');
        await onRenamed?.(saved.name);
        await changed();
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
    }),
  );
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name, message }) => save.mutate({ templateversion: version.id, name: name.trim(), message }))}
    >
      <Stack>
        <Refusal error={save.error} fields={FIELDS} />
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <Textarea
          label="Message"
          description="What changed, for whoever wonders whether to update."
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('message')}
        />
        <FormActions submit="Save" isPending={save.isPending} isDisabled={!form.isDirty()} onCancel={onClose} />
      </Stack>
    </form>
  );
}
