import { Button, Group, Stack } from '@mantine/core';
import { Refusal } from '../../ui/Refusal.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { Section } from './Section.tsx';

interface Props {
  readonly title: string;
  readonly onSubmit: (event: React.SubmitEvent<HTMLFormElement>) => void;
  /** Why saving was refused, or null; `fields` show their own refusals. */
  readonly error: unknown;
  readonly fields: readonly string[];
  readonly isDirty: boolean;
  readonly isPending: boolean;
  /** False for who may only look. */
  readonly maySave?: boolean;
  readonly children: React.ReactNode;
}

/** A section of settings that are saved together. */
export function SettingsForm({ title, onSubmit, error, fields, isDirty, isPending, maySave = true, children }: Props): React.JSX.Element {
  return (
    <Section title={title}>
      <form noValidate onSubmit={onSubmit}>
        <Stack maw={640}>
          <UnsavedGuard isDirty={maySave && isDirty} />
          <Refusal error={error} fields={fields} />
          {children}
          {maySave && (
            <Group justify="flex-end">
              <Button type="submit" disabled={!isDirty} loading={isPending}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}
