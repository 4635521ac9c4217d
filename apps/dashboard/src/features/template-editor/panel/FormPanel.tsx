import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { TemplateVersionParameter } from '@berth/api/contract/template-versions';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { formErrors, problemOf } from '../../../api/errors.ts';
import { trpc } from '../../../api/trpc.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Refusal } from '../../../ui/Refusal.tsx';
import { initialDraft, parametersFromWire, viewForm } from '../../create-workspace/parameter-form.ts';
import { ParameterFields } from '../../create-workspace/ParameterFields.tsx';
import type { Version } from '../../template-versions/version-words.ts';
import { DryRun } from './DryRun.tsx';

interface Props {
  readonly version: Version;
  /** Whether the editor has other files by now. */
  readonly isStale: boolean;
}

/** The form that people fill in for a workspace of the built version, to try; and with its answers, a dry run. */
export function FormPanel({ version, isStale }: Props): React.JSX.Element {
  const parameters = useQuery(
    trpc.templateVersions.richParameters.queryOptions({ templateversion: version.id }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  if (parameters.isError) {
    return <ErrorNotice error={parameters.error} title="The form could not be loaded" onRetry={() => void parameters.refetch()} />;
  }
  if (parameters.data === undefined) return <Skeleton height={200} radius="md" aria-label="Loading the form" />;
  return <Form key={version.id} version={version} parameters={parameters.data} isStale={isStale} />;
}

function Form({ version, parameters, isStale }: Props & { readonly parameters: readonly TemplateVersionParameter[] }): React.JSX.Element {
  const definitions = useMemo(() => parametersFromWire(parameters), [parameters]);
  const [answers, setAnswers] = useState(() => initialDraft(definitions));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const view = viewForm(definitions, answers);
  const run = useMutation(trpc.templateVersions.createDryRun.mutationOptions());
  const refusal = run.isError
    ? formErrors(
        problemOf(run.error),
        definitions.map(({ name }) => name),
      ).errors
    : undefined;
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {view.fields.length === 0
          ? `${version.name} asks for nothing: a workspace of it needs only a name.`
          : `What ${version.name} asks whoever makes a workspace.`}
        {isStale && ' Files were changed since; build to see them here.'}
      </Text>
      <ParameterFields
        fields={view.fields}
        isShown={(parameter) => touched.has(parameter) || run.isError}
        refused={refusal}
        onChange={(parameter, value) => {
          setTouched((known) => new Set(known).add(parameter));
          setAnswers((known) => ({ ...known, [parameter]: value }));
          if (run.isError) run.reset();
        }}
      />
      <Stack gap="xs">
        <Group>
          <Button
            variant="default"
            size="sm"
            loading={run.isPending}
            disabled={view.values === null}
            onClick={() => run.mutate({ templateversion: version.id, rich_parameter_values: [...(view.values ?? [])] })}
          >
            Dry run
          </Button>
          <Text size="sm" c="dimmed" style={{ flex: 1 }} miw={160}>
            {view.values === null ? 'Answer what is asked first.' : 'Says what a first start would make, and makes nothing.'}
          </Text>
        </Group>
        <Refusal error={run.error} fields={definitions.map(({ name }) => name)} />
      </Stack>
      {run.data !== undefined && <DryRun key={run.data.id} versionId={version.id} jobId={run.data.id} />}
    </Stack>
  );
}
