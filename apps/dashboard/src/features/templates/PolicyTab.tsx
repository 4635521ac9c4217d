import { Button, Checkbox, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Template } from '@berth/api/contract/templates';
import type { Weekday } from '@berth/domain';
import { SHARING_LEVELS } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { Section } from '../account/Section.tsx';
import { DayPicker } from '../../ui/DayPicker.tsx';
import { DurationInput } from '../../ui/DurationInput.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { SHARING_WORDS } from '../agents/sharing-words.ts';
import type { PolicyValues } from './policy-form.ts';
import { POLICY_FIELDS, changedPolicy, policyOf } from './policy-form.ts';
import { PolicyImpact } from './PolicyImpact.tsx';
import { useTemplateSaved } from './use-template-saved.ts';

/** The rules by which workspaces start, stop, sleep and go. What a change does to those that there are is shown before it is saved. */
export function PolicyTab({ template }: { template: Template }): React.JSX.Element {
  const saved = policyOf(template);
  const form = useForm<PolicyValues>({ initialValues: saved });
  const [isReviewing, setReviewing] = useState(false);
  const change = { template: template.id, ...changedPolicy(saved, form.values) };
  const show = useTemplateSaved();
  const save = useMutation(
    trpc.templates.update.mutationOptions({
      onSuccess: async (next) => {
        setReviewing(false);
        form.setValues(policyOf(next));
        form.resetDirty(policyOf(next));
        notifyDone('The rules are saved.');
        await show(next);
      },
      onError: (error) => {
        setReviewing(false);
        form.setErrors(formErrors(problemOf(error), POLICY_FIELDS).errors);
      },
    }),
  );
  const span = (field: (typeof POLICY_FIELDS)[number], label: string, description: string): React.JSX.Element => (
    <DurationInput
      label={label}
      description={description}
      value={form.values[field]}
      error={form.errors[field]}
      onChange={(ms) => form.setFieldValue(field, ms)}
    />
  );
  const days = (field: 'autostart_days' | 'autostop_days') => ({
    value: form.values[field],
    onChange: (next: Weekday[]) => form.setFieldValue(field, next),
  });
  const isChanged = Object.keys(change).length > 1;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(() => {
        save.reset();
        setReviewing(true);
      })}
    >
      <Stack>
        <UnsavedGuard isDirty={isChanged} />
        <Refusal error={save.error} fields={POLICY_FIELDS} />
        <Section title="Stopping" description="When a workspace that runs stops by itself.">
          <Stack maw={560}>
            {span(
              'default_ttl_ms',
              'Stop after',
              'Counts from the start, and for workspaces without a time of their own. 0: they run until somebody stops them.',
            )}
            <Checkbox
              label="People may choose their own time"
              description="Otherwise the time above holds for every workspace."
              {...form.getInputProps('allow_user_autostop', { type: 'checkbox' })}
            />
            {span(
              'activity_bump_ms',
              'Activity moves the stop by',
              'As long as somebody works in it, a workspace does not stop under their hands. 0: activity changes nothing.',
            )}
            <DayPicker
              label="Must stop on"
              description="For maintenance, in the quiet hours of its owner. No day: never."
              {...days('autostop_days')}
            />
            {form.values.autostop_days.length > 0 && (
              <NumberInput label="Every so many weeks" w={180} min={1} max={16} {...form.getInputProps('autostop_weeks')} />
            )}
            {span('failure_ttl_ms', 'Stop after a failed start', 'So that what a failed start left does not go on. 0: never.')}
          </Stack>
        </Section>
        <Section title="Starting" description="When a workspace starts by itself, and from which version.">
          <Stack maw={560}>
            <Checkbox
              label="People may let their workspaces start by themselves"
              {...form.getInputProps('allow_user_autostart', { type: 'checkbox' })}
            />
            {form.values.allow_user_autostart && <DayPicker label="On these days" {...days('autostart_days')} />}
            <Checkbox
              label="Start on the active version only"
              description="A workspace on another version is updated when it starts."
              {...form.getInputProps('require_active_version', { type: 'checkbox' })}
            />
          </Stack>
        </Section>
        <Section title="Sleeping" description="What happens to workspaces that nobody uses.">
          <Stack maw={560}>
            {span('time_til_dormant_ms', 'Dormant after', 'Unused for so long, a workspace is stopped and has to be woken up. 0: never.')}
            {span(
              'time_til_dormant_autodelete_ms',
              'Deleted after',
              'Dormant for so long, a workspace is deleted with its files. 0: never.',
            )}
          </Stack>
        </Section>
        <Section title="Limits">
          <Stack maw={560}>
            <Checkbox
              label="People may cancel builds that are under way"
              description="A cancelled build can leave things half made."
              {...form.getInputProps('allow_user_cancel_workspace_jobs', { type: 'checkbox' })}
            />
            <Select
              label="Ports may be shared with"
              allowDeselect={false}
              data={SHARING_LEVELS.map((level) => ({ value: level, label: SHARING_WORDS[level] }))}
              {...form.getInputProps('max_port_share_level')}
            />
          </Stack>
        </Section>
        <Group>
          <Button type="submit" disabled={!isChanged}>
            Review and save…
          </Button>
          {!isChanged && (
            <Text size="sm" c="dimmed">
              Nothing is changed.
            </Text>
          )}
        </Group>
      </Stack>
      <PolicyImpact
        isOpen={isReviewing}
        change={change}
        isPending={save.isPending}
        onClose={() => setReviewing(false)}
        onSave={() => save.mutate(change)}
      />
    </form>
  );
}
