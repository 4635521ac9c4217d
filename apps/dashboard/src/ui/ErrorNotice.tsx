import { validationText } from '@berth/core';
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { problemOf } from '../api/errors.ts';
import { CopyValue } from './CopyValue.tsx';

interface Props {
  readonly error: unknown;
  /** What was not possible, as a heading: "The workspaces could not be loaded". */
  readonly title: string;
  readonly onRetry?: () => void;
}

/** Says what failed, why, and what can be done; the request id finds it in the server's log. */
export function ErrorNotice({ error, title, onRetry }: Props): React.JSX.Element {
  const problem = problemOf(error);
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={title} role="alert">
      <Stack gap="xs">
        <Text size="sm">{problem.message}</Text>
        {problem.detail !== '' && <Text size="sm">{problem.detail}</Text>}
        {problem.validations.map(validationText).map((rule) => (
          <Text size="sm" key={rule}>
            {rule}
          </Text>
        ))}
        {problem.kind === 'forbidden' && problem.detail === '' && (
          <Text size="sm">None of your roles allows it. Whoever administers Berth or the organization can give you one.</Text>
        )}
        {problem.kind === 'internal' && problem.requestId !== '' && (
          <Group gap={4}>
            <Text size="sm">
              For whoever runs this server: request <Code>{problem.requestId}</Code>
            </Text>
            <CopyValue value={problem.requestId} label="Copy the request id" />
          </Group>
        )}
        {/* What is refused today is refused in a minute too. */}
        {onRetry !== undefined && problem.kind !== 'forbidden' && (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
