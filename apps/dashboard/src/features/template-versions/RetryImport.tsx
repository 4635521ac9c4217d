import { Button, Group, Stack } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { MissingVariables } from './MissingVariables.tsx';
import { usePromote } from './use-version-change.ts';
import type { Version } from './version-words.ts';

interface Props {
  readonly template: Template;
  /** Its import failed because required variables have no value. */
  readonly version: Version;
  /** Called when new workspaces are made from the version that succeeded. */
  readonly onUsed: (version: Version) => void;
}

/** Asks for the variables that an import lacked, and imports the same files again as a version to put in the place of the failed one. */
export function RetryImport({ template, version, onUsed }: Props): React.JSX.Element {
  const create = useMutation({
    mutationFn: (variables: { name: string; value: string }[]) =>
      client.templateVersions.create.mutate({
        organization: template.organization_id,
        template_id: template.id,
        message: version.message,
        provisioner: template.provisioner,
        storage_method: 'file',
        file_id: version.job.file_id,
        tags: version.job.tags,
        user_variable_values: variables,
      }),
  });
  const ask = (failed: Version): React.JSX.Element => (
    <MissingVariables version={failed} isPending={create.isPending} onValues={(values) => create.mutate(values)} />
  );
  return (
    <Stack>
      <Refusal error={create.error} />
      {create.data === undefined ? (
        ask(version)
      ) : (
        <ImportProgress
          key={create.data.id}
          versionId={create.data.id}
          next={(next) =>
            next.job.status === 'succeeded' ? (
              <UseVersion template={template} version={next} onUsed={() => onUsed(next)} />
            ) : lacksVariables(next) ? (
              ask(next)
            ) : (
              <Group>
                <Button variant="default" onClick={create.reset}>
                  Enter the values again
                </Button>
              </Group>
            )
          }
        />
      )}
    </Stack>
  );
}

/** Whether values for variables are all that an import lacked. */
export function lacksVariables({ job }: Pick<Version, 'job'>): boolean {
  return job.error_code === 'REQUIRED_TEMPLATE_VARIABLES';
}

function UseVersion({ template, version, onUsed }: { template: Template; version: Version; onUsed: () => void }): React.JSX.Element {
  const promote = usePromote(version);
  return (
    <Group>
      <Button loading={promote.isPending} onClick={() => promote.mutate({ template: template.id, id: version.id }, { onSuccess: onUsed })}>
        Use this version
      </Button>
    </Group>
  );
}
