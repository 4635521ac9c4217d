import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Template } from '@berth/api/contract/templates';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { DeleteSection } from '../account/DeleteSection.tsx';
import { Section } from '../account/Section.tsx';
import { SettingsForm } from '../account/SettingsForm.tsx';
import type { TemplateNames } from './template-form.ts';
import { TEMPLATE_FIELDS, TEMPLATE_RULES } from './template-form.ts';
import { TemplateFields } from './TemplateFields.tsx';
import { useTemplateSaved } from './use-template-saved.ts';

const DEPRECATION_MAX = 1024;

/** What a template is called, and the ways to end it. */
export function SettingsTab({ template, mayDelete }: { template: Template; mayDelete: boolean }): React.JSX.Element {
  return (
    <Stack>
      <General template={template} />
      <Deprecation key={template.deprecation_message} template={template} />
      {mayDelete && <Deletion template={template} />}
    </Stack>
  );
}

function General({ template }: { template: Template }): React.JSX.Element {
  const show = useTemplateSaved();
  const navigate = useNavigate();
  const initialValues: TemplateNames = {
    organization: template.organization_id,
    name: template.name,
    display_name: template.display_name,
    description: template.description,
    icon: template.icon,
  };
  const form = useForm<TemplateNames>({ initialValues, validateInputOnBlur: true, validate: TEMPLATE_RULES });
  const save = useMutation(
    trpc.templates.update.mutationOptions({
      onSuccess: async (saved) => {
        form.resetDirty();
        notifyDone('The template is saved.');
        await show(saved);
        if (saved.name !== template.name) {
          await navigate({
            to: '/templates/$organization/$name',
            params: { organization: saved.organization_name, name: saved.name },
            search: { tab: 'settings' },
            replace: true,
            ignoreBlocker: true,
          });
        }
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), TEMPLATE_FIELDS).errors),
    }),
  );
  return (
    <SettingsForm
      title="General"
      error={save.error}
      fields={TEMPLATE_FIELDS}
      isDirty={form.isDirty()}
      isPending={save.isPending}
      onSubmit={form.onSubmit(({ name, display_name, description, icon }) =>
        save.mutate({ template: template.id, name: name.trim(), display_name, description, icon }),
      )}
    >
      <TemplateFields form={form} />
    </SettingsForm>
  );
}

function Deprecation({ template }: { template: Template }): React.JSX.Element {
  const show = useTemplateSaved();
  const [message, setMessage] = useState(template.deprecation_message);
  const save = useMutation(
    trpc.templates.update.mutationOptions({
      onSuccess: async (saved) => {
        notifyDone(saved.deprecated ? 'Nobody makes new workspaces from it any more.' : 'The template is in use again.');
        await show(saved);
      },
    }),
  );
  return (
    <Section title="Deprecate" description="No new workspaces are made from a deprecated template. Those that there are go on.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ template: template.id, deprecation_message: message.trim() });
        }}
      >
        <Stack maw={560}>
          <UnsavedGuard isDirty={message.trim() !== template.deprecation_message} />
          <Refusal error={save.error} />
          <Textarea
            label="What people read"
            description="Why, and what to use instead."
            autosize
            minRows={2}
            maxLength={DEPRECATION_MAX}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <Group>
            <Button
              type="submit"
              variant="default"
              disabled={message.trim() === '' || message.trim() === template.deprecation_message}
              loading={save.isPending}
            >
              {template.deprecated ? 'Change the message' : 'Deprecate'}
            </Button>
            {template.deprecated && (
              <Button
                variant="default"
                loading={save.isPending}
                onClick={() => save.mutate({ template: template.id, deprecation_message: '' })}
              >
                Use it again
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Deletion({ template }: { template: Template }): React.JSX.Element {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(
    trpc.templates.delete.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${template.name} is deleted.`);
        await navigate({ to: '/templates', ignoreBlocker: true });
        queryClient.removeQueries(
          trpc.templates.getByName.queryFilter({ organization: template.organization_name, templatename: template.name }),
        );
        await queryClient.invalidateQueries(trpc.templates.list.pathFilter());
      },
    }),
  );
  return (
    <DeleteSection
      noun="template"
      name={template.name}
      description="Its workspaces have to be deleted first."
      warning="Its versions and their logs go with it. What was done with it stays in the audit log. This cannot be undone."
      remove={remove}
      onDelete={() => remove.mutate({ template: template.id })}
    />
  );
}
