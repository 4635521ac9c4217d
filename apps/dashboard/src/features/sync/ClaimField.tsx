import { Autocomplete } from '@mantine/core';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Claims that were seen at sign-ins. */
  readonly seen: readonly string[];
  readonly what: string;
  readonly isReadOnly: boolean;
  readonly error?: string | undefined;
}

/** Names the claim that decides; without one, the sync is off. */
export function ClaimField({ value, onChange, seen, what, isReadOnly, error }: Props): React.JSX.Element {
  return (
    <Autocomplete
      label="Claim"
      description={value === '' ? `Off: ${what} are not touched at sign-in.` : `At each sign-in, ${what} are made to match this claim.`}
      placeholder="groups, or a path such as realm_access.roles"
      data={[...seen]}
      limit={20}
      value={value}
      onChange={onChange}
      readOnly={isReadOnly}
      maw={420}
      error={error}
    />
  );
}
