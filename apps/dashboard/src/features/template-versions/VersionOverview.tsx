import { Anchor, Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { isJobActive } from '@berth/domain';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { duration } from '../../ui/relative-time.ts';
import { When } from '../../ui/When.tsx';
import { BuildBadge } from '../builds/BuildBadge.tsx';
import { BuildLog } from '../builds/BuildLog.tsx';
import { Resources } from '../workspace/Resources.tsx';
import { NextStep } from './NextStep.tsx';
import type { Version } from './version-words.ts';
import { tagsText } from './version-words.ts';

interface Props {
  readonly template: Template;
  readonly version: Version;
  readonly onEnded: () => void;
}

/** Where a version is from, how its import went, and what a workspace of it has. */
export function VersionOverview({ template, version, onEnded }: Props): React.JSX.Element {
  const { job } = version;
  const isActive = isJobActive(job.status);
  return (
    <Stack gap="lg">
      {version.message !== '' && (
        <Text size="sm" className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
          {version.message}
        </Text>
      )}
      <NextStep template={template} version={version} />
      <Box className="surface" p="lg">
        <Facts
          facts={[
            ['Import', <BuildBadge key="status" status={job.status} />],
            ['Made by', version.created_by.username],
            ['Made', <When key="created" at={version.created_at} />],
            ['Import took', took(version)],
            ['For provisioners with', tagsText(job.tags)],
            [
              'Files',
              <Group key="files" gap="xs" component="span">
                <Anchor inherit href={`/api/v2/files/${job.file_id}`} download={`${template.name}-${version.name}.tar`}>
                  Download as tar
                </Anchor>
                <Anchor inherit href={`/api/v2/files/${job.file_id}?format=zip`} download={`${template.name}-${version.name}.zip`}>
                  as zip
                </Anchor>
              </Group>,
            ],
          ]}
        />
      </Box>
      {isActive && <BuildLog id={version.id} of="template version" label="Import log" onEnded={onEnded} />}
      {job.status === 'succeeded' && <VersionResources version={version} />}
    </Stack>
  );
}

function took({ job }: Version): string {
  if (job.started_at === null || job.completed_at === null) return '–';
  return duration(Date.parse(job.completed_at) - Date.parse(job.started_at));
}

function VersionResources({ version }: { version: Version }): React.JSX.Element {
  const resources = useQuery(
    trpc.templateVersions.resources.queryOptions({ templateversion: version.id }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  if (resources.isError) {
    return <ErrorNotice error={resources.error} title="The resources could not be loaded" onRetry={() => void resources.refetch()} />;
  }
  if (resources.data === undefined) return <Skeleton height={120} radius="md" />;
  const started = resources.data.filter(({ workspace_transition: transition }) => transition === 'start');
  return <Resources resources={started} />;
}
