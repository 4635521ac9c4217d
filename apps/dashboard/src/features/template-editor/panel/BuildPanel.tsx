import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { isJobActive } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { trpc } from '../../../api/trpc.ts';
import { notifyDone, notifyFailure } from '../../../ui/notify.ts';
import { Refusal } from '../../../ui/Refusal.tsx';
import { BuildBadge } from '../../builds/BuildBadge.tsx';
import { BuildLog } from '../../builds/BuildLog.tsx';
import { MissingVariables } from '../../template-versions/MissingVariables.tsx';
import { importTrouble } from '../../template-versions/version-words.ts';
import { placesOf } from '../build/places.ts';
import type { DraftBuild } from '../build/use-draft-build.ts';
import type { GoTo } from '../code/CodeEditor.tsx';
import type { Draft } from '../draft/draft.ts';
import { ProblemList } from './ProblemList.tsx';

interface Props {
  readonly build: DraftBuild;
  readonly draft: Draft;
  readonly onGoTo: (place: GoTo) => void;
}

/** How the import of the last build goes: its log, and when it failed, the places to mend. */
export function BuildPanel({ build, draft, onGoTo }: Props): React.JSX.Element {
  const { version } = build;
  const cancel = useMutation(
    trpc.templateVersions.cancel.mutationOptions({
      onSuccess: ({ message }) => notifyDone(message),
      onError: (error) => notifyFailure('The import goes on', error),
    }),
  );
  if (version === undefined) {
    return (
      <Stack>
        <Refusal error={build.error} />
        <Text size="sm" c="dimmed">
          {build.isSending
            ? 'The files are on their way…'
            : 'Build makes a version of these files and reads it as a provisioner does. New workspaces get it only once it is published.'}
        </Text>
      </Stack>
    );
  }
  const { status, error_code: code } = version.job;
  const isActive = isJobActive(status);
  const trouble = importTrouble(version);
  return (
    <Stack gap="sm">
      <Refusal error={build.error} />
      <Group justify="space-between" gap="xs">
        <Group gap="xs" role="status">
          <BuildBadge status={status} />
          <Text size="sm" className="wrap-anywhere">
            {isActive && trouble !== '' ? trouble : version.name}
          </Text>
        </Group>
        {isActive && (
          <Button
            size="compact-sm"
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ templateversion: version.id })}
          >
            Cancel
          </Button>
        )}
      </Group>
      {!isActive && trouble !== '' && (
        <Alert color="red" title="The import failed" role="alert" p="sm">
          <ProblemList
            places={placesOf(
              trouble,
              draft.files.map(({ path }) => path),
            )}
            onGoTo={onGoTo}
          />
        </Alert>
      )}
      {code === 'REQUIRED_TEMPLATE_VARIABLES' && !isActive && (
        <MissingVariables version={version} isPending={build.isSending} onValues={(variables) => build.build({ draft, variables })} />
      )}
      <BuildLog key={version.id} id={version.id} of="template version" label="Import log" maxHeight={320} onEnded={build.refetch} />
    </Stack>
  );
}
