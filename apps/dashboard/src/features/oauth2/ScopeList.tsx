import { Alert, List, ScrollArea, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';

interface Props {
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
}

/** What an application may do, a sentence for each; everything at once is set off, because people read past it. */
export function ScopeList({ scopes }: Props): React.JSX.Element {
  const isEverything = scopes.some(({ name }) => name === 'all');
  if (isEverything) {
    return (
      <Alert color="orange" icon={<IconAlertTriangle />} title="Everything that you may do">
        Also deleting your workspaces and making tokens. Allow it only to an application that you trust like yourself.
      </Alert>
    );
  }
  return (
    <ScrollArea.Autosize mah={220} type="auto">
      <List size="sm" spacing={6} center icon={<IconCheck size={16} aria-hidden color="var(--mantine-color-teal-6)" />}>
        {scopes.map(({ name, description }) => (
          <List.Item key={name}>
            <Text size="sm">{description}</Text>
          </List.Item>
        ))}
      </List>
    </ScrollArea.Autosize>
  );
}
