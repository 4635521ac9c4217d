import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { Section } from '../account/Section.tsx';
import { ClaimField } from './ClaimField.tsx';
import type { RoleDraft } from './drafts.ts';
import { differs, useDraft } from './drafts.ts';
import { mappingOf, rowsOf } from './mapping-rows.ts';
import { MappingEditor } from './MappingEditor.tsx';

const FIELDS = ['field'] as const;

interface Props {
  readonly organizationId: string;
  readonly settings: Outputs['idpSync']['roles'];
  readonly targets: readonly { readonly value: string; readonly label: string }[];
  readonly seen: readonly string[];
  readonly isReadOnly: boolean;
  readonly onDraft: (draft: RoleDraft | undefined) => void;
}

/** How a claim becomes roles of an organization. */
export function RoleSyncForm({ organizationId, settings, targets, seen, isReadOnly, onDraft }: Props): React.JSX.Element {
  const queryClient = useQueryClient();
  const [field, setField] = useState(settings.field);
  const [rows, setRows] = useState(() => rowsOf(settings.mapping));
  const draft: RoleDraft = { field: field.trim(), mapping: mappingOf(rows) };
  useDraft(draft, settings, onDraft);
  const save = useMutation(
    trpc.idpSync.updateRoles.mutationOptions({
      onSuccess: (saved) => {
        notifyDone('The role sync is saved. It counts from each next sign-in.');
        queryClient.setQueryData(trpc.idpSync.roles.queryKey({ organization: organizationId }), saved);
      },
    }),
  );
  const errors = save.isError ? formErrors(problemOf(save.error), FIELDS).errors : {};
  return (
    <Section
      title="Roles"
      description="Values are mapped; what is not mapped is taken for the name of a role. While it is on, roles of people who sign in this way cannot be given by hand."
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ organization: organizationId, ...draft });
        }}
      >
        <Stack>
          <UnsavedGuard isDirty={!isReadOnly && differs(draft, settings)} />
          <Refusal error={save.error} fields={FIELDS} />
          <ClaimField value={field} onChange={setField} seen={seen} what="roles" isReadOnly={isReadOnly} error={errors['field']} />
          <MappingEditor rows={rows} onChange={setRows} targets={targets} targetLabel="Roles" isReadOnly={isReadOnly} />
          {!isReadOnly && (
            <Group justify="flex-end">
              <Button type="submit" loading={save.isPending}>
                Save role sync
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}
