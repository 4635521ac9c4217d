import { Chip, Group, Input } from '@mantine/core';
import type { Weekday } from '@berth/domain';
import { WEEKDAYS } from '@berth/domain';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly value: readonly Weekday[];
  readonly onChange: (days: Weekday[]) => void;
}

/** Some days of the week. */
export function DayPicker({ label, description, value, onChange }: Props): React.JSX.Element {
  return (
    <Input.Wrapper label={label} description={description} labelElement="div">
      <Chip.Group multiple value={[...value]} onChange={(next) => onChange(WEEKDAYS.filter((day) => next.includes(day)))}>
        <Group gap={6} mt={6} role="group" aria-label={label}>
          {WEEKDAYS.map((day) => (
            <Chip key={day} value={day} size="xs">
              {day.slice(0, 3).replace(/^./, (first) => first.toUpperCase())}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}
