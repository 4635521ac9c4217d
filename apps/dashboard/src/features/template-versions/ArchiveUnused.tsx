import { counted } from '@berth/core';
import { Button, Group, Modal, Radio, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { useTemplatesChanged } from './use-version-change.ts';

/** Puts every version out of the way that nothing stands on. */
export function ArchiveUnused({ template }: { template: { readonly id: string } }): React.JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [which, setWhich] = useState('failed');
  const changed = useTemplatesChanged();
  const archive = useMutation(
    trpc.templateVersions.archiveUnused.mutationOptions({
      onSuccess: async ({ archived_ids: ids }) => {
        close();
        notifyDone(ids.length === 0 ? 'There was no version to archive.' : `Archived ${counted(ids.length, 'version')}.`);
        await changed();
      },
    }),
  );
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Archive unused…
      </Button>
      <Modal opened={isOpen} onClose={close} title="Archive unused versions" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack>
          <Refusal error={archive.error} />
          <Radio.Group label="Which" value={which} onChange={setWhich}>
            <Stack gap="xs" mt={6}>
              <Radio value="failed" label="Those whose import failed" />
              <Radio
                value="all"
                label="All that no workspace is on"
                description="Never the active one. An archived version can be brought back."
              />
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button loading={archive.isPending} onClick={() => archive.mutate({ template: template.id, all: which === 'all' })}>
              Archive
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
