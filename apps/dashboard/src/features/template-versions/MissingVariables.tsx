import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Section } from '../account/Section.tsx';
import type { Variable, VariableDraft } from './VariableFields.tsx';
import { VariableFields, variableValues } from './VariableFields.tsx';
import type { Version } from './version-words.ts';

interface Props {
  readonly version: Version;
  readonly isPending: boolean;
  readonly onValues: (values: { name: string; value: string }[]) => void;
}

/** Asks for the values without which the files cannot be read, to try again with the same files. */
export function MissingVariables({ version, isPending, onValues }: Props): React.JSX.Element {
  const [draft, setDraft] = useState<VariableDraft>({});
  const variables = useQuery(trpc.templateVersions.variables.queryOptions({ templateversion: version.id }));
  if (variables.isError) {
    return <ErrorNotice error={variables.error} title="The variables could not be loaded" onRetry={() => void variables.refetch()} />;
  }
  if (variables.data === undefined) return <Skeleton height={120} radius="md" />;
  return (
    <Section title="Variables" description="The files ask for these values. Fill them in to import the same files again.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onValues(variableValues({ ...untouched(variables.data), ...draft }));
        }}
      >
        <Stack maw={520}>
          <VariableFields variables={variables.data} draft={draft} onChange={setDraft} />
          <Group>
            <Button type="submit" loading={isPending}>
              Import again
            </Button>
            <Text size="sm" c="dimmed">
              {variables.data.filter(({ required }) => required).length} of them required.
            </Text>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** A switch that is off says no, also when it was never touched. */
function untouched(variables: readonly Variable[]): VariableDraft {
  return Object.fromEntries(variables.filter(({ type, required }) => required && type === 'bool').map(({ name }) => [name, 'false']));
}
