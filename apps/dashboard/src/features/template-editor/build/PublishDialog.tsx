import { Button, Checkbox, Group, Modal, Stack, TextInput, Textarea } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { nameProblem } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors, problemOf } from '../../../api/errors.ts';
import { client } from '../../../api/trpc.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { Refusal } from '../../../ui/Refusal.tsx';
import { useTemplatesChanged } from '../../template-versions/use-version-change.ts';
import type { Version } from '../../template-versions/version-words.ts';

interface Props {
  readonly template: Template;
  readonly version: Version;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** With the name that the version has now. */
  readonly onPublished: (name: string) => void;
}

/** Gives the version that was built a name and a message, and makes it the one that new workspaces get, or not yet. */
export function PublishDialog({ isOpen, onClose, ...form }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Publish" closeButtonProps={{ 'aria-label': 'Close' }}>
      <PublishForm onClose={onClose} {...form} />
    </Modal>
  );
}

function PublishForm({ template, version, onClose, onPublished }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const [name, setName] = useState(version.name);
  const [message, setMessage] = useState('');
  const [isPromoted, setPromoted] = useState(true);
  const changed = useTemplatesChanged();
  const publish = useMutation({
    mutationFn: async () => {
      const named = await client.templateVersions.update.mutate({ templateversion: version.id, name: name.trim(), message });
      if (isPromoted) await client.templates.promote.mutate({ template: template.id, id: version.id });
      return named;
    },
    onSuccess: async (named) => {
      notifyDone(isPromoted ? `New workspaces are made from ${named.name} now.` : `${named.name} is saved. Promote it when it is time.`);
      onPublished(named.name);
      await changed();
    },
  });
  const rule = nameProblem('template_version_name', name.trim());
  const refused = publish.isError ? formErrors(problemOf(publish.error), ['name', 'message']).errors : {};
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (rule === null) publish.mutate();
      }}
    >
      <Stack>
        <Refusal error={publish.error} fields={['name', 'message']} />
        <TextInput
          label="Name"
          required
          value={name}
          maxLength={64}
          error={rule ?? refused['name']}
          data-autofocus
          onChange={(event) => {
            setName(event.currentTarget.value);
            publish.reset();
          }}
        />
        <Textarea
          label="Message"
          description="What changed, for whoever wonders whether to update."
          autosize
          minRows={2}
          maxRows={8}
          value={message}
          error={refused['message']}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <Checkbox
          label="New workspaces get it"
          description={
            isPromoted
              ? 'Those that there are stay on theirs until they are updated.'
              : 'It is saved as a version, and can be promoted later.'
          }
          checked={isPromoted}
          onChange={(event) => setPromoted(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={publish.isPending}>
            {isPromoted ? 'Publish' : 'Save without promoting'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
