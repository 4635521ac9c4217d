import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ProvisionerType } from '@berth/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import type { Outputs } from '../../api/trpc.ts';
import { client, trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { templateFactsOf } from '../template-versions/berth-file.ts';
import { ImportProgress } from '../template-versions/ImportProgress.tsx';
import { MissingVariables } from '../template-versions/MissingVariables.tsx';
import { uploadFiles } from '../template-versions/pack-files.ts';
import { SourceFields } from '../template-versions/SourceFields.tsx';
import type { TemplateNames } from './template-form.ts';
import { NOTHING_SUGGESTED, TEMPLATE_FIELDS, TEMPLATE_RULES, suggestedNames } from './template-form.ts';
import { TemplateFields } from './TemplateFields.tsx';

/** A template from files of one's own: first their import, and what it is called only once they can be read. */
export function NewFromFiles({ organizations }: { organizations: Outputs['organizations']['list'] }): React.JSX.Element {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [provisioner, setProvisioner] = useState<ProvisionerType>('process');
  const [wasSubmitted, setSubmitted] = useState(false);
  const form = useForm<TemplateNames>({
    initialValues: {
      organization: organizations.find(({ is_default: isDefault }) => isDefault)?.id ?? organizations[0]?.id ?? '',
      name: '',
      display_name: '',
      description: '',
      icon: '',
    },
    validateInputOnBlur: true,
    validate: TEMPLATE_RULES,
  });
  const latest = useRef(files);
  const filled = useRef(NOTHING_SUGGESTED);
  /** Takes what the files say about the template into the fields that nobody has typed in. */
  const prefill = async (chosen: readonly File[]): Promise<void> => {
    const facts = await templateFactsOf(chosen);
    // Reading takes a moment, in which other files may have been chosen.
    if (latest.current !== chosen) return;
    const suggested = suggestedNames(chosen, facts);
    for (const field of TEMPLATE_FIELDS) {
      if (form.getValues()[field] === filled.current[field]) form.setFieldValue(field, suggested[field]);
    }
    filled.current = suggested;
  };
  const create = useMutation({
    mutationFn: async (again?: { readonly fileId: string; readonly variables: { name: string; value: string }[] }) =>
      await client.templateVersions.create.mutate({
        organization: form.getValues().organization,
        provisioner,
        storage_method: 'file',
        file_id: again?.fileId ?? (await uploadFiles(files)),
        user_variable_values: again?.variables ?? [],
      }),
  });
  if (create.data !== undefined) {
    return (
      <ImportProgress
        key={create.data.id}
        versionId={create.data.id}
        next={(version) =>
          version.job.status === 'succeeded' ? (
            <PublishTemplate versionId={version.id} names={form.getValues()} />
          ) : version.job.error_code === 'REQUIRED_TEMPLATE_VARIABLES' ? (
            <MissingVariables
              version={version}
              isPending={create.isPending}
              onValues={(variables) => create.mutate({ fileId: version.job.file_id, variables })}
            />
          ) : (
            <Group>
              <Button onClick={create.reset}>Choose files again</Button>
            </Group>
          )
        }
      />
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        setSubmitted(true);
        form.onSubmit(() => {
          if (files.length > 0) create.mutate(undefined);
        })(event);
      }}
    >
      <Stack maw={640}>
        <Refusal error={create.error} />
        <SourceFields
          files={files}
          onFiles={(next) => {
            setFiles(next);
            latest.current = next;
            void prefill(next);
          }}
          provisioner={provisioner}
          onProvisioner={setProvisioner}
          error={wasSubmitted && files.length === 0 ? 'Choose at least one file.' : undefined}
        />
        <TemplateFields form={form} organizations={organizations} />
        <Group>
          <Button type="submit" loading={create.isPending}>
            Import
          </Button>
          <Text size="sm" c="dimmed">
            Next, the files are read. There is no template before you say so.
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

/** The last step: the version is fine, and becomes a template. A name that is taken can be changed here. */
function PublishTemplate({ versionId, names }: { versionId: string; names: TemplateNames }): React.JSX.Element {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm<TemplateNames>({ initialValues: names, validateInputOnBlur: true, validate: TEMPLATE_RULES });
  const publish = useMutation(
    trpc.templates.create.mutationOptions({
      onSuccess: async (template) => {
        await queryClient.invalidateQueries(trpc.templates.pathFilter());
        await navigate({ to: '/templates/$organization/$name', params: { organization: template.organization_name, name: template.name } });
      },
      onError: (error) => form.setErrors(formErrors(problemOf(error), TEMPLATE_FIELDS).errors),
    }),
  );
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => publish.mutate({ ...values, name: values.name.trim(), template_version_id: versionId }))}
    >
      <Stack maw={640}>
        <Refusal error={publish.error} fields={TEMPLATE_FIELDS} />
        <TemplateFields form={form} />
        <Group>
          <Button type="submit" loading={publish.isPending}>
            Create template
          </Button>
          <Text size="sm" c="dimmed">
            Next, its page, where you say who may use it.
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
