import { Box, Stack } from '@mantine/core';
import type { ParameterField } from './parameter-form.ts';
import { ParameterInput } from './ParameterInput.tsx';

interface Props {
  readonly fields: readonly ParameterField[];
  /** Whether a broken rule is said at this parameter yet. */
  readonly isShown: (parameter: string) => boolean;
  /** What the server refused, by parameter. */
  readonly refused: Readonly<Record<string, string>> | undefined;
  readonly onChange: (parameter: string, value: string) => void;
}

/** The parameters of a workspace, each with its own refusal. */
export function ParameterFields({ fields, isShown, refused, onChange }: Props): React.JSX.Element | null {
  if (fields.length === 0) return null;
  return (
    <Box component="fieldset" m={0} p={0} style={{ border: 0 }} aria-label="Parameters">
      <Stack gap="lg">
        {fields.map(({ parameter, value, problem }) => (
          <ParameterInput
            key={parameter.name}
            parameter={parameter}
            value={value}
            problem={(isShown(parameter.name) ? problem : '') || (refused?.[parameter.name] ?? '')}
            onChange={(next) => onChange(parameter.name, next)}
          />
        ))}
      </Stack>
    </Box>
  );
}
