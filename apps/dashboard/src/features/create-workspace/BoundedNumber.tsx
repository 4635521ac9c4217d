import { Group, Input, NumberInput, Slider } from '@mantine/core';
import { useId } from 'react';

/** A slider of more steps than this could not be set to one of them. */
const SLIDER_STEPS_MAX = 100;

interface Props {
  readonly label: React.ReactNode;
  readonly 'aria-label': string;
  readonly description: string;
  readonly required: boolean;
  readonly error: string | undefined;
  readonly min: number | null;
  readonly max: number | null;
  /** As it was typed, a number or not. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A number, with a slider where it has few enough values. What does not fit stays as it was typed, so that the rule can say so. */
export function BoundedNumber({ min, max, value, onChange, ...field }: Props): React.JSX.Element {
  const id = useId();
  const number = Number(value);
  const input = {
    clampBehavior: 'none' as const,
    allowDecimal: min === null && max === null,
    value,
    onChange: (next: number | string) => onChange(String(next)),
    ...(min === null ? {} : { min }),
    ...(max === null ? {} : { max }),
  };
  if (min === null || max === null || max - min > SLIDER_STEPS_MAX || max <= min) return <NumberInput {...field} {...input} />;
  const { label, description, error, required, 'aria-label': name } = field;
  return (
    <Input.Wrapper label={label} description={description} error={error} required={required} id={id}>
      <Group gap="md" wrap="nowrap" mt={4} mb={error === undefined ? 0 : 4}>
        <NumberInput id={id} w={110} required={required} error={error !== undefined} {...input} aria-label={name} />
        <Slider
          flex={1}
          min={min}
          max={max}
          step={1}
          // The number beside it says the value.
          label={null}
          thumbLabel={`${name}, slider`}
          value={Number.isFinite(number) && value !== '' ? Math.min(max, Math.max(min, number)) : min}
          onChange={(next) => onChange(String(next))}
          marks={[
            { value: min, label: min.toLocaleString('en') },
            { value: max, label: max.toLocaleString('en') },
          ]}
          mb="md"
          mx="xs"
        />
      </Group>
    </Input.Wrapper>
  );
}
