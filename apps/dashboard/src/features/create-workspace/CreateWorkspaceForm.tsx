import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput, Title, Tooltip } from '@mantine/core';
import type { TemplateVersionParameter } from '@berth/api/contract/template-versions';
import type { Template } from '@berth/api/contract/templates';
import { nameProblem, randomName } from '@berth/domain';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { QuotaNotice } from '../quota/QuotaNotice.tsx';
import { storeWorkspace } from '../workspaces/workspace-cache.ts';
import { initialDraft, parametersFromWire, viewForm } from './parameter-form.ts';
import { ParameterFields } from './ParameterFields.tsx';
import { ButtonLink } from '../../ui/links.tsx';

interface Props {
  readonly template: Template;
  readonly parameters: readonly TemplateVersionParameter[];
}

/** Name and parameters of a new workspace, checked as they are typed by the rules of the server. */
export function CreateWorkspaceForm({ template, parameters }: Props): React.JSX.Element {
  const navigate = useNavigate();
  const definitions = useMemo(() => parametersFromWire(parameters), [parameters]);
  const [name, setName] = useState(() => randomName(Math.random));
  const [draft, setDraft] = useState(() => initialDraft(definitions));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [wasSubmitted, setSubmitted] = useState(false);
  const view = viewForm(definitions, draft);
  const ruleOfName = nameProblem('name', name);
  const create = useMutation(
    trpc.workspaces.create.mutationOptions({
      onSuccess: async (workspace) => {
        storeWorkspace(workspace);
        await navigate({ to: '/@{$owner}/$name', params: { owner: workspace.owner_name, name: workspace.name } });
      },
    }),
  );
  const refusal = create.isError
    ? formErrors(problemOf(create.error), ['name', ...definitions.map(({ name: field }) => field)])
    : undefined;
  const nameError = ruleOfName ?? refusal?.errors['name'];
  const submit = (event: React.FormEvent): void => {
    event.preventDefault();
    setSubmitted(true);
    if (ruleOfName !== null || view.values === null) return;
    create.mutate({ user: 'me', name, template_id: template.id, rich_parameter_values: [...view.values] });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={640} gap="lg">
        {template.deprecated && (
          <Alert color="orange" title="This template is deprecated">
            {template.deprecation_message}
          </Alert>
        )}
        {refusal !== undefined && refusal.rest !== '' && (
          <Alert color="red" title="The workspace was not created" role="alert">
            {refusal.rest}
          </Alert>
        )}
        <TextInput
          label="Name"
          description="Letters, digits and single hyphens. Part of the workspace’s address."
          value={name}
          error={nameError}
          maxLength={64}
          required
          onChange={(event) => {
            setName(event.currentTarget.value);
            create.reset();
          }}
          rightSection={
            <Tooltip label="Suggest another name">
              <ActionIcon variant="subtle" color="gray" aria-label="Suggest another name" onClick={() => setName(randomName(Math.random))}>
                <IconRefresh size={16} />
              </ActionIcon>
            </Tooltip>
          }
        />
        {view.fields.length > 0 && (
          <Title order={2} mb={-8}>
            Parameters
          </Title>
        )}
        <ParameterFields
          fields={view.fields}
          isShown={(parameter) => wasSubmitted || touched.has(parameter)}
          refused={refusal?.errors}
          onChange={(parameter, value) => {
            setTouched((known) => new Set(known).add(parameter));
            setDraft((known) => ({ ...known, [parameter]: value }));
            create.reset();
          }}
        />
        <QuotaNotice template={template} />
        <Group>
          <Button type="submit" loading={create.isPending}>
            Create workspace
          </Button>
          <ButtonLink to="/workspaces" variant="subtle">
            Cancel
          </ButtonLink>
          {wasSubmitted && view.values === null && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              Some parameters need another look.
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}
