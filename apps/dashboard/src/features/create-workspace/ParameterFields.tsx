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
  /** Below a field: where its value is from. */
  readonly note?: (parameter: string) => React.ReactNode;
}

/** The parameters of a workspace, each with its own refusal. */
export function ParameterFields({ fields, isShown, refused, onChange, note }: Props): React.JSX.Element | null {
  if (fields.length === 0) return null;
  return (
    <Box component="fieldset" m={0} p={0} style={{ border: 0, minWidth: 0 }} aria-label="Parameters">
      <Stack gap="lg">
        {fields.map(({ parameter, value, problem }) => {
          const shown = (isShown(parameter.name) ? problem : '') || (refused?.[parameter.name] ?? '');
          return (
            <div key={parameter.name} data-wrong={problem !== '' || shown !== ''}>
              <ParameterInput parameter={parameter} value={value} problem={shown} onChange={(next) => onChange(parameter.name, next)} />
              {note?.(parameter.name)}
            </div>
          );
        })}
      </Stack>
    </Box>
  );
}
