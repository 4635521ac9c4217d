import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { notifyUndo } from '../../ui/notify-undo.tsx';
import { notifyFailure } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import type { AppearanceInput, AppearanceValues } from './appearance-form.ts';
import { RULES, inputOf, valuesOf } from './appearance-form.ts';
import { BannersSection } from './BannersSection.tsx';
import type { Appearance } from './brand.ts';
import { appearanceQuery, storeAppearance } from './brand.ts';
import { BrandSection } from './BrandSection.tsx';

const FIELDS = ['application_name', 'logo_url'] as const;

/** How the deployment presents itself to everybody: its name, its logo, and what it has to say. */
export function AppearancePage(): React.JSX.Element {
  const appearance = useQuery(appearanceQuery());
  return (
    <Page title="Appearance" subtitle="How this deployment presents itself. Open pages show a change at once.">
      {appearance.isError ? (
        <ErrorNotice error={appearance.error} title="The appearance could not be loaded" onRetry={() => void appearance.refetch()} />
      ) : appearance.data === undefined ? (
        <Skeleton height={420} radius="md" />
      ) : (
        <Current appearance={appearance.data} />
      )}
    </Page>
  );
}

/** The form begins anew when somebody else saved, unless it would lose what was typed here. */
function Current({ appearance }: { appearance: Appearance }): React.JSX.Element {
  const [shown, setShown] = useState(appearance);
  const [isDirty, setDirty] = useState(false);
  const isOld = JSON.stringify(inputOf(valuesOf(shown))) !== JSON.stringify(inputOf(valuesOf(appearance)));
  if (isOld && !isDirty) setShown(appearance);
  return (
    <Stack>
      {isOld && isDirty && (
        <Alert color="yellow" title="Somebody else has changed the appearance" role="status">
          <Group justify="space-between">
            Saving replaces what they did.
            <Button size="compact-sm" variant="default" onClick={() => setDirty(false)}>
              Show theirs instead
            </Button>
          </Group>
        </Alert>
      )}
      <AppearanceForm key={JSON.stringify(inputOf(valuesOf(shown)))} appearance={shown} onDirty={setDirty} />
    </Stack>
  );
}

interface FormProps {
  readonly appearance: Appearance;
  readonly onDirty: (isDirty: boolean) => void;
}

function AppearanceForm({ appearance, onDirty }: FormProps): React.JSX.Element {
  const [saved] = useState(() => inputOf(valuesOf(appearance)));
  const form = useForm<AppearanceValues>({
    initialValues: valuesOf(appearance),
    validateInputOnBlur: true,
    validate: RULES,
    onValuesChange: (values) => onDirty(JSON.stringify(inputOf(values)) !== JSON.stringify(saved)),
  });
  const isDirty = JSON.stringify(inputOf(form.values)) !== JSON.stringify(saved);
  const store = (changed: Omit<Appearance, 'docs_url' | 'support_links'>): void => {
    onDirty(false);
    storeAppearance({ ...appearance, ...changed });
  };
  const undo = useMutation(
    trpc.appearance.update.mutationOptions({ onSuccess: store, onError: (error) => notifyFailure('This could not be undone', error) }),
  );
  const save = useMutation(
    trpc.appearance.update.mutationOptions({
      onSuccess: (changed) => {
        store(changed);
        notifyUndo('Everybody sees the new appearance now.', () => undo.mutate(saved));
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), FIELDS).errors),
    }),
  );
  const submit = (input: AppearanceInput): void => save.mutate(input);
  return (
    <form noValidate onSubmit={form.onSubmit((values) => submit(inputOf(values)))}>
      <Stack>
        <UnsavedGuard isDirty={isDirty} />
        <Refusal error={save.error} fields={FIELDS} />
        <BrandSection form={form} />
        <BannersSection form={form} />
        <Group justify="flex-end">
          <Button variant="default" disabled={!isDirty} onClick={() => form.reset()}>
            Discard changes
          </Button>
          <Button type="submit" disabled={!isDirty} loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
