import { Alert, Button, Checkbox, Code, Group, Stack, TextInput } from '@mantine/core';
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
import type { GroupDraft } from './drafts.ts';
import { differs, useDraft } from './drafts.ts';
import { mappingOf, rowsOf } from './mapping-rows.ts';
import { MappingEditor } from './MappingEditor.tsx';

type Settings = Outputs['idpSync']['groups'];

const FIELDS = ['field', 'regex_filter'] as const;

interface Props {
  readonly organizationId: string;
  readonly settings: Settings;
  readonly targets: readonly { readonly value: string; readonly label: string }[];
  readonly seen: readonly string[];
  readonly isReadOnly: boolean;
  readonly onDraft: (draft: GroupDraft | undefined) => void;
}

/** How a claim becomes groups. */
export function GroupSyncForm({ organizationId, settings, targets, seen, isReadOnly, onDraft }: Props): React.JSX.Element {
  const queryClient = useQueryClient();
  const [field, setField] = useState(settings.field);
  const [filter, setFilter] = useState(settings.regex_filter ?? '');
  const [isCreating, setIsCreating] = useState(settings.auto_create_missing_groups);
  const [rows, setRows] = useState(() => rowsOf(settings.mapping));
  const draft: GroupDraft = {
    field: field.trim(),
    regex_filter: filter === '' ? null : filter,
    auto_create_missing_groups: isCreating,
    mapping: mappingOf(rows),
  };
  useDraft(draft, settings, onDraft);
  const save = useMutation(
    trpc.idpSync.updateGroups.mutationOptions({
      onSuccess: async (saved) => {
        notifyDone('The group sync is saved. It counts from each next sign-in.');
        queryClient.setQueryData(trpc.idpSync.groups.queryKey({ organization: organizationId }), saved);
      },
    }),
  );
  const errors = save.isError ? formErrors(problemOf(save.error), FIELDS).errors : {};
  const legacy = Object.entries(settings.legacy_group_name_mapping);
  return (
    <Section title="Groups" description="Values are filtered, then mapped; what is not mapped is taken for the name of a group.">
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
          <ClaimField value={field} onChange={setField} seen={seen} what="groups" isReadOnly={isReadOnly} error={errors['field']} />
          <TextInput
            label="Only values that match"
            description="A regular expression in RE2 syntax; empty takes every value."
            placeholder="^berth-"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            readOnly={isReadOnly}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
            error={errors['regex_filter']}
            maw={420}
          />
          <Checkbox
            label="Make groups that are missing"
            description="A value without a group of its name makes one."
            checked={isCreating}
            disabled={isReadOnly}
            onChange={(event) => setIsCreating(event.currentTarget.checked)}
          />
          <MappingEditor rows={rows} onChange={setRows} targets={targets} targetLabel="Groups" isReadOnly={isReadOnly} />
          {legacy.length > 0 && (
            <Alert variant="default" title="From the settings of the server">
              {legacy.map(([from, to]) => (
                <div key={from}>
                  <Code>{from}</Code> is renamed to <Code>{to}</Code> before anything else.
                </div>
              ))}
            </Alert>
          )}
          {!isReadOnly && (
            <Group justify="flex-end">
              <Button type="submit" loading={save.isPending}>
                Save group sync
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}
