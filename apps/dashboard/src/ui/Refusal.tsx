import { Alert } from '@mantine/core';
import { formErrors, problemOf } from '../api/errors.ts';

interface Props {
  /** What a call threw; nothing is shown without it. */
  readonly error: unknown;
  /** Fields of the form that show their own refusals. */
  readonly fields?: readonly string[];
}

/** Why the server refused what was just asked, but for what stands beside a field. */
export function Refusal({ error, fields = [] }: Props): React.JSX.Element | null {
  if (error === null || error === undefined) return null;
  const { rest } = formErrors(problemOf(error), fields);
  if (rest === '') return null;
  return (
    <Alert color="red" role="alert">
      {rest}
    </Alert>
  );
}
