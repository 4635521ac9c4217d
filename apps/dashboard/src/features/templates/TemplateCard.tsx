import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { Link } from '@tanstack/react-router';
import { TemplateIcon } from './TemplateIcon.tsx';
import { templateTitle } from './template-name.ts';
import { organizationOf, typicalBuildTime, usedBy } from './template-words.ts';
import classes from './TemplateCard.module.css';

interface Props {
  readonly template: Template;
  /** Where the card leads: to the template itself, or to the form of a new workspace. */
  readonly to: 'template' | 'new workspace';
}

/** A template in short: what it is for, who uses it and how long it takes. */
export function TemplateCard({ template, to }: Props): React.JSX.Element {
  const title = templateTitle(template);
  const link = classes['link'] ?? '';
  const took = typicalBuildTime(template);
  return (
    <Stack className={`surface ${classes['card'] ?? ''}`} p="md" gap="sm">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <TemplateIcon icon={template.icon} name={template.name} size={40} />
        <Stack gap={2} miw={0}>
          <Group gap={6}>
            {to === 'template' ? (
              <Link
                to="/templates/$organization/$name"
                params={{ organization: template.organization_name, name: template.name }}
                className={link}
              >
                {title}
              </Link>
            ) : (
              <Link to="/workspaces/new" search={{ template: template.id }} className={link}>
                {title}
              </Link>
            )}
            {template.deprecated && (
              <Badge color="orange" size="sm">
                Deprecated
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed" className="wrap-anywhere">
            {organizationOf(template)}
          </Text>
        </Stack>
      </Group>
      {template.description !== '' && <Text size="sm">{template.description}</Text>}
      {template.deprecated && (
        <Text size="xs" c="dimmed" className="wrap-anywhere">
          {template.deprecation_message}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt="auto">
        Used by {usedBy(template)} this week
        {took !== '' && ` · starts in about ${took}`}
      </Text>
    </Stack>
  );
}
