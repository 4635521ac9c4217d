import { Breadcrumbs, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { WorkspaceBuild } from '@berth/api/contract/builds';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { Page } from '../../ui/Page.tsx';
import { When } from '../../ui/When.tsx';
import { Resources } from '../workspace/Resources.tsx';
import { BuildBadge } from './BuildBadge.tsx';
import { buildTook, reasonText } from './build-facts.ts';
import { BuildParameters } from './BuildParameters.tsx';
import { BuildLogs } from './BuildLogs.tsx';
import { BuildTimeline } from './timeline/BuildTimeline.tsx';
import { useJobLog } from './use-job-log.ts';
import { useTimings } from './timeline/use-timings.ts';
import { useLiveBuild } from './use-live-build.ts';
import { BuildWhy } from './BuildWhy.tsx';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { LoadFailure } from '../../ui/NotFound.tsx';

/** One build for ever: what it did, with what, and all it said. */
export function BuildPage(): React.JSX.Element {
  const { owner, name, number } = useParams({ from: '/session/shell/@{$owner}/$name/builds/$number' });
  const build = useQuery(
    trpc.builds.getByUserWorkspaceAndNumber.queryOptions({ user: owner, workspacename: name, buildnumber: Number(number) || 0 }),
  );
  if (build.isError) {
    const back = (
      <ButtonLink to="/@{$owner}/$name" params={{ owner, name }} search={{ tab: 'builds' }}>
        Go to the workspace’s builds
      </ButtonLink>
    );
    const asked = `${number} of ${owner}/${name}`;
    return <LoadFailure error={build.error} kind="build" name={asked} back={back} onRetry={() => void build.refetch()} />;
  }
  return (
    <Page
      title={`Build ${number}`}
      documentTitle={`Build ${number} of ${owner}/${name}`}
      subtitle={
        <Breadcrumbs separator="/">
          <Link to="/workspaces" className="quiet-link">
            Workspaces
          </Link>
          <Link to="/@{$owner}/$name" params={{ owner, name }} className="quiet-link">
            {owner}/{name}
          </Link>
          <Link to="/@{$owner}/$name" params={{ owner, name }} search={{ tab: 'builds' }} className="quiet-link">
            Builds
          </Link>
        </Breadcrumbs>
      }
    >
      {build.data !== undefined ? (
        <BuildDetails key={build.data.id} build={build.data} onEnded={() => void build.refetch()} />
      ) : (
        <Skeleton height={300} radius="md" />
      )}
    </Page>
  );
}

function BuildDetails({ build: asked, onEnded }: { build: WorkspaceBuild; onEnded: () => void }): React.JSX.Element {
  const { build, workspace } = useLiveBuild(asked);
  const feed = useJobLog({
    id: build.id,
    of: 'build',
    onEnded: () => {
      if (asked.job.completed_at === null) onEnded();
    },
  });
  const measured = useTimings({ build, isLatest: workspace !== undefined });
  return (
    <Stack gap="lg">
      <Group className="surface" px="md" py="sm" gap="lg">
        <BuildBadge status={build.job.status} size="lg" />
        <Fact name="Transition">{build.transition}</Fact>
        <Fact name="Started by">{reasonText(build)}</Fact>
        <Fact name="Version">{build.template_version_name}</Fact>
        <Fact name="Created">
          <When at={build.created_at} />
        </Fact>
        <Fact name="Took">{buildTook(build)}</Fact>
      </Group>
      <BuildWhy build={build} workspace={workspace} />
      <BuildTimeline build={build} isLatest={workspace !== undefined} lines={feed.lines} measured={measured} />
      <BuildLogs build={build} feed={feed} timings={measured.timings} />
      <BuildParameters build={build} />
      <Resources resources={build.resources} />
      <Text size="sm">
        <AnchorLink to="/audit" search={{ q: `resource_type:workspace_build resource_id:${build.id}` }}>
          This build in the audit log
        </AnchorLink>
      </Text>
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="div" size="sm" fw={500}>
        {children}
      </Text>
    </div>
  );
}
