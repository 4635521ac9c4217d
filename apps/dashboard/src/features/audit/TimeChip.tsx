import { Button, Group, Popover, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Chip } from './Chip.tsx';
import type { Span } from './time-span.ts';
import { SPAN_PRESETS, localInstant, localText, presetSpan, spanOf, spanWords, utcText, withSpan } from './time-span.ts';

interface Props {
  readonly q: string;
  readonly onChange: (q: string) => void;
}

/** The span of time: by one click, or to the minute in the reader's own zone, with what it is in UTC. */
export function TimeChip({ q, onChange }: Props): React.JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const span = spanOf(q);
  const choose = (next: Span): void => {
    setIsOpen(false);
    onChange(withSpan(q, next));
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" width={300} trapFocus>
      <Popover.Target>
        <Chip
          label="Time"
          value={spanWords(span)}
          onRemove={() => choose({ from: null, to: null })}
          onClick={() => setIsOpen((before) => !before)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <SimpleGrid cols={2} spacing={6} verticalSpacing={6}>
            {SPAN_PRESETS.map((preset) => (
              <Button key={preset} size="xs" variant="default" onClick={() => choose(presetSpan(preset, new Date()))}>
                {preset}
              </Button>
            ))}
          </SimpleGrid>
          <ExactSpan span={span} onChoose={choose} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function ExactSpan({ span, onChoose }: { span: Span; onChoose: (span: Span) => void }): React.JSX.Element {
  const [from, setFrom] = useState(localText(span.from));
  const [to, setTo] = useState(localText(span.to));
  const chosen = { from: localInstant(from), to: localInstant(to) };
  const isReversed = chosen.from !== null && chosen.to !== null && chosen.from >= chosen.to;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReversed) onChoose(chosen);
      }}
    >
      <Stack gap="xs">
        <TextInput
          type="datetime-local"
          size="xs"
          label="From"
          description={chosen.from === null ? undefined : utcText(chosen.from)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          size="xs"
          label="Until"
          description={chosen.to === null ? undefined : utcText(chosen.to)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={isReversed && 'Must be later than the beginning.'}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Group justify="space-between" wrap="nowrap">
          <Text size="xs" c="dimmed">
            {Intl.DateTimeFormat().resolvedOptions().timeZone}
          </Text>
          <Button type="submit" size="xs">
            Show
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
