import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

interface Props {
  readonly secret: string;
  /** What it is: "password", "secret". */
  readonly noun: string;
  readonly onDone: () => void;
  /** What to do with it, after the sentence that it is shown this once. */
  readonly children?: React.ReactNode;
}

/** A secret that is shown this once. */
export function SecretOnce({ secret, noun, onDone, children }: Props): React.JSX.Element {
  return (
    <Stack>
      <Text size="sm">Copy it now: it is shown this once and cannot be read again. {children}</Text>
      <Code block aria-label={`The new ${noun}`} className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
        {secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant={copied ? 'light' : 'filled'} onClick={copy}>
              {copied ? 'Copied' : `Copy ${noun}`}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
