import { PasswordInput, Stack, Switch, TextInput } from '@mantine/core';
import type { Outputs } from '../../api/trpc.ts';

export type Variable = Pick<
  Outputs['templateVersions']['variables'][number],
  'name' | 'type' | 'description' | 'value' | 'required' | 'sensitive'
>;
/** What was filled in, by the variable's name. */
export type VariableDraft = Readonly<Record<string, string>>;

interface Props {
  readonly variables: readonly Variable[];
  readonly draft: VariableDraft;
  readonly onChange: (draft: VariableDraft) => void;
}

/** The values that the author of a version gives at its import. Sensitive ones are never shown again. */
export function VariableFields({ variables, draft, onChange }: Props): React.JSX.Element {
  return (
    <Stack>
      {variables.map((variable) => {
        const set = (value: string): void => onChange({ ...draft, [variable.name]: value });
        const value = draft[variable.name] ?? (variable.sensitive ? '' : variable.value);
        const common = { label: variable.name, description: variable.description, required: variable.required };
        if (variable.type === 'bool') {
          return (
            <Switch
              key={variable.name}
              label={variable.name}
              description={variable.description}
              checked={value === 'true'}
              onChange={(event) => set(String(event.currentTarget.checked))}
            />
          );
        }
        return variable.sensitive ? (
          <PasswordInput
            key={variable.name}
            {...common}
            autoComplete="off"
            placeholder="Kept sealed, and never shown again"
            value={value}
            onChange={(event) => set(event.currentTarget.value)}
          />
        ) : (
          <TextInput key={variable.name} {...common} value={value} onChange={(event) => set(event.currentTarget.value)} />
        );
      })}
    </Stack>
  );
}

/** What a request sends: everything that was filled in. */
export function variableValues(draft: VariableDraft): { name: string; value: string }[] {
  return Object.entries(draft)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ name, value }));
}
