import { Group, SegmentedControl, TextInput } from '@mantine/core';
import type { DayRange } from './period.ts';
import { lastDays } from './period.ts';

export interface RangeChoice {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval?: 'week' | undefined;
}

interface Props {
  readonly range: DayRange;
  readonly interval: 'day' | 'week';
  readonly now: Date;
  readonly onChange: (choice: RangeChoice) => void;
}

const PRESETS = [7, 30, 90, 365] as const;

/** Which days a report is about, and whether it counts by days or weeks. */
export function RangeControls({ range, interval, now, onChange }: Props): React.JSX.Element {
  const preset = PRESETS.find((days) => {
    const last = lastDays(days, now);
    return last.from === range.from && last.to === range.to;
  });
  const weekly = interval === 'week' ? { interval } : {};
  const today = lastDays(1, now).to;
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label="Period"
        data={PRESETS.map((days) => ({ value: String(days), label: days === 365 ? 'A year' : `${days} days` }))}
        value={preset === undefined ? '' : String(preset)}
        onChange={(days) => onChange({ ...lastDays(Number(days), now), ...weekly })}
      />
      <TextInput
        type="date"
        aria-label="First day"
        value={range.from}
        max={range.to}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') onChange({ from: value, to: range.to, ...weekly });
        }}
      />
      <TextInput
        type="date"
        aria-label="Last day"
        value={range.to}
        max={today}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') onChange({ from: range.from > value ? value : range.from, to: value, ...weekly });
        }}
      />
      <SegmentedControl
        aria-label="Counted by"
        data={[
          { value: 'day', label: 'By day' },
          { value: 'week', label: 'By week' },
        ]}
        value={interval}
        onChange={(next) => onChange({ ...range, ...(next === 'week' ? { interval: 'week' } : {}) })}
      />
    </Group>
  );
}
