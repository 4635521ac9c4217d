import { Alert, Group, Stack, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { useNavigate } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/links.tsx';
import { useTemplateRights } from '../templates/use-template-rights.ts';
import { RetryImport, lacksVariables } from './RetryImport.tsx';
import type { Version } from './version-words.ts';
import { importTrouble, stepOf } from './version-words.ts';

/** Where a version stands on its way into use, and what takes it further. Nothing for versions that are behind. */
export function NextStep({ template, version }: { template: Template; version: Version }): React.JSX.Element | null {
  const { may } = useTemplateRights(template);
  const navigate = useNavigate();
  const trouble = importTrouble(version);
  const params = { organization: template.organization_name, name: template.name };
  switch (stepOf(template, version)) {
    case 'importing':
      return (
        <Alert color="blue" title={trouble === '' ? 'The files are being read' : 'The import waits'} role="status">
          <Stack gap={4}>
            {trouble !== '' && <Trouble text={trouble} />}
            <Text size="sm">
              {version.id === template.active_version_id
                ? 'When that is done, workspaces can be made from it.'
                : 'When that is done, it can be promoted.'}
            </Text>
          </Stack>
        </Alert>
      );
    case 'failed':
      return (
        <Alert color="red" title="The import failed" role="alert">
          <Stack gap="sm">
            <Trouble text={trouble} />
            {may.update && lacksVariables(version) && (
              <RetryImport
                template={template}
                version={version}
                onUsed={(used) =>
                  void navigate({ to: '/templates/$organization/$name/versions/$version', params: { ...params, version: used.name } })
                }
              />
            )}
            {may.update && (
              <Group gap="xs">
                <ButtonLink
                  size="xs"
                  to="/templates/$organization/$name/versions/$version/edit"
                  params={{ ...params, version: version.name }}
                >
                  Fix it in the editor
                </ButtonLink>
                <ButtonLink size="xs" variant="default" to="/templates/$organization/$name/new-version" params={params}>
                  Import other files
                </ButtonLink>
              </Group>
            )}
          </Stack>
        </Alert>
      );
    case 'promote':
      return may.update ? (
        <Alert color="gray" title="New workspaces are not made from this version">
          <Text size="sm">Its files were read without a fault. Promote it, and they are.</Text>
        </Alert>
      ) : null;
    case 'use':
      return (
        <Alert color="gray" title="New workspaces are made from this version">
          <Group gap="xs">
            <ButtonLink size="xs" to="/workspaces/new" search={{ template: template.id }}>
              Make a workspace
            </ButtonLink>
            {may.update && (
              <ButtonLink size="xs" variant="default" to="/templates/$organization/$name" params={params} search={{ tab: 'permissions' }}>
                Say who may use it
              </ButtonLink>
            )}
          </Group>
        </Alert>
      );
    case 'none':
      return null;
  }
}

function Trouble({ text }: { text: string }): React.JSX.Element {
  return (
    <Text size="sm" className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
      {text}
    </Text>
  );
}
