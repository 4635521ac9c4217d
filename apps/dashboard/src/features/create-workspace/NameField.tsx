import { ActionIcon, Text, TextInput, Tooltip } from '@mantine/core';
import { randomName } from '@berth/domain';
import { IconRefresh } from '@tabler/icons-react';

interface Props {
  readonly value: string;
  readonly error: string | undefined;
  readonly isFromLink: boolean;
  readonly onChange: (name: string) => void;
}

/** What the workspace is called; two words are suggested, since nobody likes to make names up. */
export function NameField({ value, error, isFromLink, onChange }: Props): React.JSX.Element {
  return (
    <div data-wrong={error !== undefined}>
      <TextInput
        label="Name"
        description="Letters, digits and single hyphens. Part of the workspace’s address."
        value={value}
        error={error}
        maxLength={64}
        required
        onChange={(event) => onChange(event.currentTarget.value)}
        rightSection={
          <Tooltip label="Suggest another name">
            <ActionIcon variant="subtle" color="gray" aria-label="Suggest another name" onClick={() => onChange(randomName(Math.random))}>
              <IconRefresh size={16} />
            </ActionIcon>
          </Tooltip>
        }
      />
      {isFromLink && (
        <Text size="xs" c="dimmed" mt={6}>
          From the link
        </Text>
      )}
    </div>
  );
}
