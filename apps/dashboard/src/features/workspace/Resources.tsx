import { counted } from '@berth/core';
import { Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { WorkspaceResource } from '@berth/api/contract/agents';
import { useState } from 'react';
import { Anchor } from '@mantine/core';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { TemplateIcon } from '../templates/TemplateIcon.tsx';

/** What the build made, with what the template tells about each; hidden and empty ones are left out. */
export function Resources({ resources }: { resources: readonly WorkspaceResource[] }): React.JSX.Element | null {
  const shown = resources.filter(({ hide }) => !hide);
  // What is hidden costs too.
  const cost = resources.reduce((sum, { daily_cost: own }) => sum + own, 0);
  if (shown.length === 0) return null;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Title order={2}>Resources</Title>
        {cost > 0 && (
          <Text size="sm" c="dimmed">
            {counted(cost, 'credit')} a day
          </Text>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {shown.map((resource) => (
          <Stack key={resource.id} className="surface" p="md" gap="xs">
            <Group gap="sm" wrap="nowrap">
              <TemplateIcon icon={resource.icon} name={resource.name} size={30} />
              <div>
                <Text size="sm" fw={600} className="wrap-anywhere">
                  {resource.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {resource.type}
                  {resource.daily_cost > 0 && ` · costs ${resource.daily_cost} a day`}
                </Text>
              </div>
            </Group>
            {resource.metadata.map((item) => (
              <MetadataItem key={item.key} item={item} />
            ))}
          </Stack>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function MetadataItem({ item }: { item: WorkspaceResource['metadata'][number] }): React.JSX.Element {
  const [isShown, setShown] = useState(!item.sensitive);
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" c="dimmed">
        {item.key}
      </Text>
      <Group gap={4} wrap="nowrap" miw={0}>
        <Text size="sm" className="wrap-anywhere">
          {isShown ? item.value : '•••'}
        </Text>
        {item.sensitive && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            onClick={() => setShown(!isShown)}
            aria-label={`${isShown ? 'Hide' : 'Show'} ${item.key}`}
          >
            {isShown ? 'hide' : 'show'}
          </Anchor>
        )}
        <CopyValue value={item.value} label={`Copy ${item.key}`} />
      </Group>
    </Group>
  );
}
