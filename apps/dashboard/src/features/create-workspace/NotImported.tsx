import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { isJobActive } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { When } from '../../ui/When.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { BuildLog } from '../builds/BuildLog.tsx';
import { RetryImport, lacksVariables } from '../template-versions/RetryImport.tsx';
import type { Version } from '../template-versions/version-words.ts';
import { importTrouble } from '../template-versions/version-words.ts';
import { useTemplateRights } from '../templates/use-template-rights.ts';

interface Props {
  readonly template: Template;
  /** The active version, whose import has not succeeded. */
  readonly version: Version;
  readonly onChange: () => void;
}

/** In place of the form of a workspace: how the import of its template goes, or why it failed and what the viewer can do. */
export function NotImported({ template, version, onChange }: Props): React.JSX.Element {
  const { may } = useTemplateRights(template);
  const isActive = isJobActive(version.job.status);
  return (
    <Stack maw={720}>
      {isActive ? (
        <Waiting version={version} mayCancel={may.update} onCancel={onChange} />
      ) : (
        <Failed template={template} version={version} mayUpdate={may.update} />
      )}
      {!isActive && may.update && lacksVariables(version) ? (
        <RetryImport template={template} version={version} onUsed={onChange} />
      ) : (
        <BuildLog id={version.id} of="template version" label="Import log" onEnded={onChange} />
      )}
    </Stack>
  );
}

function Waiting({ version, mayCancel, onCancel }: { version: Version; mayCancel: boolean; onCancel: () => void }): React.JSX.Element {
  const { may } = useSiteRights();
  const { job, matched_provisioners: matched } = version;
  const trouble = importTrouble(version);
  const isStuck = job.status === 'pending' && matched.available === 0;
  const cancel = useMutation(
    trpc.templateVersions.cancel.mutationOptions({
      onSuccess: ({ message }) => {
        notifyDone(message);
        onCancel();
      },
      onError: (error) => notifyFailure('The import was not canceled', error),
    }),
  );
  return (
    <Alert
      color={isStuck ? 'yellow' : 'blue'}
      title={isStuck ? 'No provisioner can import this template now' : 'The template is being imported'}
      role="status"
    >
      <Stack gap="xs" align="flex-start">
        {trouble !== '' && <Text size="sm">{trouble}</Text>}
        <Text size="sm">
          {job.started_at === null ? 'Waiting since ' : 'Started '}
          <When at={job.started_at ?? job.created_at} />. The form appears here when the import succeeds.
        </Text>
        <Group gap="xs">
          {mayCancel && (
            <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ templateversion: version.id })}>
              Cancel import
            </Button>
          )}
          {isStuck && may.runProvisioners && (
            <ButtonLink to="/admin/provisioners" size="xs" variant="default">
              See provisioners
            </ButtonLink>
          )}
          {isStuck && may.readHealth && (
            <ButtonLink to="/admin/health" size="xs" variant="default">
              See health
            </ButtonLink>
          )}
          <ButtonLink to="/workspaces/new" size="xs" variant="default">
            Choose another template
          </ButtonLink>
        </Group>
      </Stack>
    </Alert>
  );
}

function Failed({ template, version, mayUpdate }: { template: Template; version: Version; mayUpdate: boolean }): React.JSX.Element {
  const params = { organization: template.organization_name, name: template.name, version: version.name };
  return (
    <Alert color="red" title="This template cannot be used yet" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
          {importTrouble(version)}
        </Text>
        {!mayUpdate ? (
          <Text size="sm">Ask {maintainers(template, version)} to publish a version that works.</Text>
        ) : (
          !lacksVariables(version) && (
            <Text size="sm">
              {version.job.status === 'canceled'
                ? 'Open the editor to import its files again.'
                : 'Fix its files in the editor and import them again. The log below says what went wrong.'}
            </Text>
          )
        )}
        <Group gap="xs">
          {mayUpdate && (
            <>
              <ButtonLink to="/templates/$organization/$name/versions/$version/edit" params={params} size="xs">
                Open the editor
              </ButtonLink>
              <ButtonLink to="/templates/$organization/$name/versions/$version" params={params} size="xs" variant="default">
                Go to the version
              </ButtonLink>
            </>
          )}
          <ButtonLink to="/workspaces/new" size="xs" variant="default">
            Choose another template
          </ButtonLink>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Who made the template and its version, by username. */
function maintainers(template: Template, version: Version): string {
  return [...new Set([template.created_by_name, version.created_by.username])].filter((name) => name !== '').join(' or ');
}
