import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { Link } from '@tanstack/react-router';
import { TemplateIcon } from './TemplateIcon.tsx';
import { templateTitle } from './template-name.ts';
import classes from './TemplateCard.module.css';

/** A template to make a workspace from. */
export function TemplateCard({ template }: { template: Template }): React.JSX.Element {
  const title = templateTitle(template);
  return (
    <Stack className={`surface ${classes['card'] ?? ''}`} p="md" gap="sm">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <TemplateIcon icon={template.icon} name={template.name} size={40} />
        <Stack gap={2} miw={0}>
          <Link to="/workspaces/new" search={{ template: template.id }} className={classes['link']}>
            {title}
          </Link>
          <Text size="xs" c="dimmed">
            {template.organization_display_name === '' ? template.organization_name : template.organization_display_name}
            {' · '}
            {template.active_user_count === 1 ? '1 developer' : `${template.active_user_count} developers`} this week
          </Text>
        </Stack>
      </Group>
      {template.description !== '' && <Text size="sm">{template.description}</Text>}
      {template.deprecated && (
        <Group gap="xs">
          <Badge color="orange">Deprecated</Badge>
          <Text size="xs">{template.deprecation_message}</Text>
        </Group>
      )}
    </Stack>
  );
}
