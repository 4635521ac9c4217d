import { Button, Group, Skeleton, Stack, Text, TextInput, Textarea } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import type { ProvisionerType } from '@berth/domain';
import { nameProblem } from '@berth/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { client, trpc } from '../../api/trpc.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { TemplateFailure } from '../templates/TemplateFailure.tsx';
import { templateTitle } from '../templates/template-name.ts';
import { TemplateCrumbs } from '../templates/TemplateCrumbs.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { MissingVariables } from './MissingVariables.tsx';
import { uploadFiles } from './pack-files.ts';
import { SourceFields } from './SourceFields.tsx';
import { usePromote } from './use-version-change.ts';
import type { Version } from './version-words.ts';

/** A further version of a template: its files, and how their import goes. */
export function NewVersionPage(): React.JSX.Element {
  const { organization, name } = useParams({ from: '/session/shell/templates/$organization/$name/new-version' });
  const template = useQuery(trpc.templates.getByName.queryOptions({ organization, templatename: name }));
  if (template.isError) {
    return <TemplateFailure name={`${organization}/${name}`} error={template.error} onRetry={() => void template.refetch()} />;
  }
  return (
    <Page
      title="New version"
      documentTitle={`New version of ${name}`}
      subtitle={
        <TemplateCrumbs organization={organization} name={name} title={template.data === undefined ? name : templateTitle(template.data)} />
      }
    >
      {template.data === undefined ? <Skeleton height={320} maw={640} /> : <NewVersion template={template.data} />}
    </Page>
  );
}

interface Values {
  readonly name: string;
  readonly message: string;
  readonly provisioner: ProvisionerType;
}

function NewVersion({ template }: { template: Template }): React.JSX.Element {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [wasSubmitted, setSubmitted] = useState(false);
  const [values, setValues] = useState<Values>({ name: '', message: '', provisioner: template.provisioner });
  const change = (part: Partial<Values>): void => setValues((known) => ({ ...known, ...part }));
  const create = useMutation({
    mutationFn: async (again?: { readonly fileId: string; readonly variables: { name: string; value: string }[] }) =>
      await client.templateVersions.create.mutate({
        organization: template.organization_id,
        template_id: template.id,
        name: again === undefined ? values.name.trim() : '',
        message: values.message,
        provisioner: values.provisioner,
        storage_method: 'file',
        file_id: again?.fileId ?? (await uploadFiles(files)),
        user_variable_values: again?.variables ?? [],
      }),
  });
  const nameError = values.name === '' ? null : nameProblem('template_version_name', values.name.trim());
  if (create.data !== undefined) {
    return (
      <ImportProgress
        key={create.data.id}
        versionId={create.data.id}
        next={(version) => (
          <Imported
            template={template}
            version={version}
            isPending={create.isPending}
            onBack={create.reset}
            onVariables={(variables) => create.mutate({ fileId: version.job.file_id, variables })}
          />
        )}
      />
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (files.length > 0 && nameError === null) create.mutate(undefined);
      }}
    >
      <Stack maw={640}>
        <Refusal error={create.error} />
        <SourceFields
          files={files}
          onFiles={setFiles}
          provisioner={values.provisioner}
          onProvisioner={(provisioner) => change({ provisioner })}
          error={wasSubmitted && files.length === 0 ? 'Choose at least one file.' : undefined}
        />
        <TextInput
          label="Name"
          description="Made up when empty."
          value={values.name}
          error={nameError}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Textarea
          label="Message"
          description="What changed, for whoever wonders whether to update."
          autosize
          minRows={2}
          value={values.message}
          onChange={(event) => change({ message: event.currentTarget.value })}
        />
        <Group>
          <Button type="submit" loading={create.isPending}>
            Import
          </Button>
          <ButtonLink
            variant="subtle"
            to="/templates/$organization/$name"
            params={{ organization: template.organization_name, name: template.name }}
          >
            Cancel
          </ButtonLink>
          <Text size="sm" c="dimmed">
            Next, the files are read. New workspaces get the version only once it is promoted.
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

interface ImportedProps {
  readonly template: Template;
  readonly version: Version;
  readonly isPending: boolean;
  readonly onBack: () => void;
  readonly onVariables: (values: { name: string; value: string }[]) => void;
}

/** What comes after the import: new workspaces get the version, or not yet, or another try. */
function Imported({ template, version, isPending, onBack, onVariables }: ImportedProps): React.JSX.Element {
  const navigate = useNavigate();
  const promote = usePromote(version);
  const address = {
    to: '/templates/$organization/$name/versions/$version',
    params: { organization: template.organization_name, name: template.name, version: version.name },
  } as const;
  if (version.job.status === 'succeeded') {
    return (
      <Group>
        <Button
          loading={promote.isPending}
          onClick={() => promote.mutate({ template: template.id, id: version.id }, { onSuccess: () => void navigate(address) })}
        >
          Promote it
        </Button>
        <ButtonLink variant="default" {...address}>
          Look at it first
        </ButtonLink>
      </Group>
    );
  }
  if (version.job.error_code === 'REQUIRED_TEMPLATE_VARIABLES') {
    return <MissingVariables version={version} isPending={isPending} onValues={onVariables} />;
  }
  return (
    <Group>
      <Button onClick={onBack}>Choose files again</Button>
    </Group>
  );
}
