import { Code, Group } from '@mantine/core';
import { CopyValue } from './CopyValue.tsx';

/** A command to run in a terminal of one's own; `label` says what is copied: "Copy the command that signs in". */
export function CommandLine({ command, label }: { command: string; label: string }): React.JSX.Element {
  return (
    <Group gap={4} wrap="nowrap">
      <Code block flex={1} miw={0} className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap', border: '1px solid var(--berth-line)' }}>
        {command}
      </Code>
      <CopyValue value={command} label={label} />
    </Group>
  );
}
