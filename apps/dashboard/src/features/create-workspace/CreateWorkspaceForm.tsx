import { counted } from '@berth/core';
import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { nameProblem, randomName } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { formErrors, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { storeWorkspace } from '../workspaces/workspace-cache.ts';
import { CostNotice } from './CostNotice.tsx';
import { focusFirstWrong } from './focus-first-wrong.ts';
import { LinkedServices } from './LinkedServices.tsx';
import { NameField } from './NameField.tsx';
import type { Draft } from './parameter-form.ts';
import { draftOf, initialDraft, originOf, parameterLabel, usableEarlier, viewForm } from './parameter-form.ts';
import { ParameterFields } from './ParameterFields.tsx';
import { ValueOrigin } from './ValueOrigin.tsx';
import type { VersionFacts } from './VersionGate.tsx';

/** What a link filled in; empty without one. */
export interface LinkValues {
  readonly name: string;
  readonly values: Draft;
}

interface Props extends VersionFacts {
  readonly template: Template;
  readonly link: LinkValues;
}

/** Name and parameters of a new workspace, checked as they are typed by the rules of the server. */
export function CreateWorkspaceForm({ template, definitions, earlier, link }: Props): React.JSX.Element {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState(() => (link.name === '' ? randomName(Math.random) : link.name));
  const [sources, setSources] = useState(() => ({
    defaults: initialDraft(definitions),
    earlier: usableEarlier(definitions, earlier),
    link: link.values,
    own: {} as Draft,
  }));
  const [wasSubmitted, setSubmitted] = useState(false);
  const draft = draftOf(sources);
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
  const { error } = create;
  useEffect(() => {
    if (error !== null) focusFirstWrong(form.current);
  }, [error]);
  const isFromLink = link.name !== '' || Object.keys(link.values).length > 0;
  useEffect(() => {
    // The button that led here from what the link says is gone, and the keyboard with it.
    if (isFromLink && !focusFirstWrong(form.current)) form.current?.querySelector('input')?.focus();
  }, [isFromLink]);
  const refusal = create.isError
    ? formErrors(problemOf(create.error), ['name', ...definitions.map(({ name: field }) => field)])
    : undefined;
  const originOfField = (parameter: string) => originOf(sources, parameter);
  const fromEarlier = view.fields.filter(({ parameter }) => originOfField(parameter.name) === 'earlier');
  const isChanged = view.fields.some(({ parameter }) => originOfField(parameter.name) !== 'default');
  const change = (part: Draft): void => {
    setSources((known) => ({ ...known, own: { ...known.own, ...part } }));
    create.reset();
  };
  const submit = (event: React.SyntheticEvent): void => {
    event.preventDefault();
    setSubmitted(true);
    if (ruleOfName !== null || view.values === null) {
      focusFirstWrong(form.current);
      return;
    }
    create.mutate({ user: 'me', name, template_id: template.id, rich_parameter_values: [...view.values] });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack maw={640} gap="lg">
        {template.deprecated && (
          <Alert color="orange" title="This template is deprecated">
            {template.deprecation_message} No new workspaces are made from it.
          </Alert>
        )}
        {refusal !== undefined && refusal.rest !== '' && (
          <Alert color="red" title="The workspace was not created" role="alert">
            {refusal.rest}
          </Alert>
        )}
        <NameField
          value={name}
          error={ruleOfName ?? refusal?.errors['name']}
          isFromLink={link.name !== '' && name === link.name}
          onChange={(next) => {
            setName(next);
            create.reset();
          }}
        />
        {view.fields.length > 0 && (
          <Group justify="space-between" gap="xs" mb={-8}>
            <Title order={2}>Parameters</Title>
            {isChanged && (
              <Button
                size="compact-sm"
                variant="subtle"
                onClick={() => {
                  setSources((known) => ({ ...known, earlier: {}, link: {}, own: {} }));
                  create.reset();
                }}
              >
                Use all defaults
              </Button>
            )}
          </Group>
        )}
        {fromEarlier.length > 0 && (
          <Text size="sm" c="dimmed" role="status">
            {counted(fromEarlier.length, 'answer is', 'answers are')} as in your last workspace of this template.{' '}
            <Anchor
              component="button"
              type="button"
              inherit
              underline="always"
              onClick={() => setSources((known) => ({ ...known, earlier: {} }))}
            >
              Use the defaults instead
            </Anchor>
          </Text>
        )}
        <ParameterFields
          fields={view.fields}
          isShown={(parameter) => wasSubmitted || originOfField(parameter) === 'link' || Object.hasOwn(sources.own, parameter)}
          refused={refusal?.errors}
          onChange={(parameter, value) => {
            // A number field says its value once more when the keyboard leaves it, which makes it nobody's own.
            if (value !== (draft[parameter] ?? '')) change({ [parameter]: value });
          }}
          note={(field) => {
            const parameter = definitions.find((known) => known.name === field);
            if (parameter === undefined) return null;
            const standard = sources.defaults[field] ?? '';
            return (
              <ValueOrigin
                origin={originOfField(field)}
                label={parameterLabel(parameter)}
                hasDefault={standard !== ''}
                onDefault={() => change({ [field]: standard })}
              />
            );
          }}
        />
        <LinkedServices template={template} />
        <CostNotice template={template} />
        <Group>
          <Button type="submit" loading={create.isPending} disabled={template.deprecated}>
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
