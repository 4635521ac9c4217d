import { Alert, Button, Group, Radio, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { TemplateExample } from '@berth/api/contract/templates';
import { nameProblem } from '@berth/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import type { Outputs } from '../../api/trpc.ts';
import { client, trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import type { VariableDraft } from '../template-versions/VariableFields.tsx';
import { VariableFields } from '../template-versions/VariableFields.tsx';
import classes from '../create-workspace/ParameterInput.module.css';
import { suggestedName } from './template-form.ts';
import { TemplateIcon } from './TemplateIcon.tsx';

interface Props {
  readonly examples: readonly TemplateExample[];
  readonly organizations: Outputs['organizations']['list'];
  /** The starter that a link asks for: its id, or its folder's name, which its address ends with. */
  readonly wanted: string;
}

interface Input {
  readonly organization: string;
  readonly example_id: string;
  readonly name: string;
  readonly user_variable_values: { name: string; value: string }[];
  readonly isEdited: boolean;
}

/** A template from a starter; where it leads shows how its import goes. */
export function NewFromExample({ examples, organizations, wanted }: Props): React.JSX.Element {
  const asked = examples.find(({ id, url }) => wanted !== '' && (id === wanted || url.endsWith(`example=${wanted}`)));
  const [chosenId, setChosenId] = useState(asked?.id);
  const chosen = examples.find(({ id }) => id === chosenId) ?? examples[0];
  const [organization, setOrganization] = useState(
    organizations.find(({ is_default: isDefault }) => isDefault)?.id ?? organizations[0]?.id ?? '',
  );
  const [name, setName] = useState<string>();
  const [draft, setDraft] = useState<VariableDraft>({});
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const install = useMutation({
    mutationFn: async ({ isEdited, ...input }: Input) => {
      const template = await client.templates.installExample.mutate(input);
      const version = await client.templateVersions.get.query({ templateversion: template.active_version_id });
      return { template, version, isEdited };
    },
    onSuccess: async ({ template, version, isEdited }) => {
      await queryClient.invalidateQueries(trpc.templates.pathFilter());
      await navigate({
        to: isEdited ? '/templates/$organization/$name/versions/$version/edit' : '/templates/$organization/$name/versions/$version',
        params: { organization: template.organization_name, name: template.name, version: version.name },
      });
    },
  });
  const shownName = name ?? suggestedName(chosen?.name ?? '');
  const rule = nameProblem('name', shownName);
  const variables = (chosen?.variables ?? []).map((variable) => ({
    ...variable,
    value: variable.type === 'bool' ? 'false' : '',
    required: true,
  }));
  const values = variables.map((variable) => ({ name: variable.name, value: draft[variable.name] ?? variable.value }));
  const isComplete = values.every(({ value }) => value !== '');
  const refusal = install.isError ? formErrors(problemOf(install.error), ['name']).errors['name'] : undefined;
  const create = ({ isEdited }: { isEdited: boolean }): void => {
    if (rule !== null || chosen === undefined || !isComplete) return;
    install.mutate({ organization, example_id: chosen.id, name: shownName, user_variable_values: values, isEdited });
  };
  if (chosen === undefined) return <Text c="dimmed">No starter templates come with this server.</Text>;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        create({ isEdited: false });
      }}
    >
      <Stack>
        <Radio.Group
          aria-label="Starter"
          value={chosen.id}
          onChange={(id) => {
            setChosenId(id);
            setName(undefined);
            setDraft({});
            install.reset();
          }}
        >
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {examples.map((example) => (
              <Radio.Card key={example.id} value={example.id} p="md" className={classes['option']} aria-label={example.name}>
                <Group gap="sm" wrap="nowrap" align="flex-start">
                  <Radio.Indicator mt={2} />
                  <TemplateIcon icon={example.icon} name={example.name} size={30} />
                  <div>
                    <Text size="sm" fw={600}>
                      {example.name}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {example.description}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            ))}
          </SimpleGrid>
        </Radio.Group>
        {!chosen.available && (
          <Alert color="yellow" title="This server cannot run this starter yet" role="status" maw={640}>
            {chosen.unavailable_reason} You can create the template now: it is imported as soon as a provisioner can do it.
          </Alert>
        )}
        <Stack maw={480}>
          <Refusal error={install.error} fields={['name']} />
          {organizations.length > 1 && (
            <Select
              label="Organization"
              description="Its members may use the template."
              allowDeselect={false}
              data={organizations.map(({ id, name: slug, display_name: title }) => ({ value: id, label: title === '' ? slug : title }))}
              value={organization}
              onChange={(id) => setOrganization(id ?? organization)}
            />
          )}
          <TextInput
            label="Name"
            description="In addresses: lower-case letters, digits and hyphens."
            required
            value={shownName}
            error={rule ?? refusal}
            onChange={(event) => {
              setName(event.currentTarget.value);
              install.reset();
            }}
          />
          <VariableFields variables={variables} draft={draft} onChange={setDraft} />
          <Group>
            <Button type="submit" disabled={!isComplete} loading={install.isPending && install.variables?.isEdited === false}>
              Create template
            </Button>
            <Button
              variant="default"
              loading={install.isPending && install.variables?.isEdited === true}
              disabled={install.isPending || !isComplete}
              onClick={() => create({ isEdited: true })}
            >
              Create and edit
            </Button>
            <Text size="sm" c="dimmed">
              Next, its files are read; then workspaces can be made from it.
            </Text>
          </Group>
        </Stack>
      </Stack>
    </form>
  );
}
