import { Box, Checkbox, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import type { RichParameter } from '@berth/domain';
import { nameProblem, valueProblem } from '@berth/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Section } from '../account/Section.tsx';
import { initialDraft, parameterLabel, parametersFromWire } from '../create-workspace/parameter-form.ts';
import { ParameterInput } from '../create-workspace/ParameterInput.tsx';
import { htmlButton, markdownButton, prefillAddress } from './open-in-berth.ts';

const FORMS = [
  { value: 'markdown', label: 'Markdown' },
  { value: 'html', label: 'HTML' },
  { value: 'address', label: 'Address' },
] as const;

/** Makes a link, or a button for a README, that fills in the form of a new workspace with chosen values. */
export function OpenInBerthTab({ template }: { template: Template }): React.JSX.Element {
  const parameters = useQuery(
    trpc.templateVersions.richParameters.queryOptions(
      { templateversion: template.active_version_id },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const definitions = useMemo(() => parametersFromWire(parameters.data ?? []), [parameters.data]);
  const [name, setName] = useState('');
  const [form, setForm] = useState<(typeof FORMS)[number]['value']>('markdown');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  if (parameters.isError) {
    return <ErrorNotice error={parameters.error} title="The parameters could not be loaded" onRetry={() => void parameters.refetch()} />;
  }
  if (parameters.data === undefined) return <Skeleton height={320} radius="md" />;
  const link = { origin: location.origin, organization: template.organization_name, template: template.name, name, values };
  const text = form === 'markdown' ? markdownButton(link) : form === 'html' ? htmlButton(link) : prefillAddress(link);
  return (
    <Stack>
      <Section
        title="The link"
        description="Put it into a README or a wiki. Whoever follows it signs in, sees what the link fills in, and makes the workspace themselves."
      >
        <Stack gap="sm">
          <Box>
            <SegmentedControl aria-label="Written as" data={[...FORMS]} value={form} onChange={setForm} />
          </Box>
          <CommandLine command={text} label="Copy the link" />
          {form !== 'address' && (
            <img src="/icon/open-in-berth.svg" alt="What the button looks like: Open in Berth" width={138} height={32} />
          )}
        </Stack>
      </Section>
      <Section title="What it fills in" description="The rest is left to the person, and to the template’s defaults.">
        <Stack maw={640} gap="lg">
          <TextInput
            label="Name of the workspace"
            description="Best left empty, so that everybody gets a name of their own."
            value={name}
            maxLength={64}
            error={name === '' ? undefined : nameProblem('name', name)}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {definitions.map((parameter) => (
            <ChosenValue
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name]}
              onChange={(value) => setValues((known) => withValue(known, parameter.name, value))}
            />
          ))}
          {definitions.length === 0 && (
            <Text size="sm" c="dimmed">
              The template asks for nothing else.
            </Text>
          )}
        </Stack>
      </Section>
    </Stack>
  );
}

/** Without a value, the link leaves the parameter alone. */
function withValue(values: Readonly<Record<string, string>>, name: string, value: string | undefined): Readonly<Record<string, string>> {
  const others = Object.entries(values).filter(([known]) => known !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value] as const]);
}

interface ChosenProps {
  readonly parameter: RichParameter;
  /** Undefined while the link leaves it alone. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function ChosenValue({ parameter, value, onChange }: ChosenProps): React.JSX.Element {
  const problem = value === undefined || value === '' ? null : valueProblem(parameter, value, null);
  return (
    <Stack gap="xs">
      <Checkbox
        label={`Fill in ${parameterLabel(parameter)}`}
        checked={value !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? (initialDraft([parameter])[parameter.name] ?? '') : undefined)}
      />
      {value !== undefined && (
        <Box pl={32}>
          <ParameterInput parameter={parameter} value={value} problem={problem?.detail ?? ''} onChange={onChange} />
        </Box>
      )}
    </Stack>
  );
}
