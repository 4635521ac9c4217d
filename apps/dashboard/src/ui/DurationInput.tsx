import { Group, Input, NumberInput, Select } from '@mantine/core';
import { useId, useState } from 'react';
import type { Unit } from './durations.ts';
import { UNITS, sizeOf, unitOf } from './durations.ts';

interface Props {
  readonly label: string;
  readonly description: string;
  /** Milliseconds; 0 is what the description says it is. */
  readonly value: number;
  readonly onChange: (ms: number) => void;
  readonly error?: React.ReactNode;
  readonly isDisabled?: boolean;
}

/** A span of time as a number and its unit. */
export function DurationInput({ label, description, value, onChange, error, isDisabled = false }: Props): React.JSX.Element {
  const [unit, setUnit] = useState<Unit>(unitOf(value));
  const id = useId();
  const size = sizeOf(unit);
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div" descriptionProps={{ id }}>
      <Group gap="xs" wrap="nowrap" mt={4}>
        <NumberInput
          aria-label={label}
          aria-describedby={id}
          w={110}
          min={0}
          max={100_000}
          allowNegative={false}
          disabled={isDisabled}
          value={value / size}
          onChange={(next) => onChange(Math.round((typeof next === 'number' ? next : Number(next) || 0) * size))}
        />
        <Select
          aria-label={`Unit of ${label}`}
          w={120}
          allowDeselect={false}
          disabled={isDisabled}
          data={UNITS.map(({ value: name, label: shown }) => ({ value: name, label: shown }))}
          value={unit}
          onChange={(next) => {
            const chosen = UNITS.find(({ value: name }) => name === next)?.value;
            if (chosen === undefined) return;
            setUnit(chosen);
            onChange(Math.round((value / size) * sizeOf(chosen)));
          }}
        />
      </Group>
    </Input.Wrapper>
  );
}
