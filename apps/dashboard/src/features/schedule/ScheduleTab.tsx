import { Alert, Skeleton, Stack } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useWorkspaceRights } from '../workspace/use-workspace-rights.ts';
import { AutomaticUpdates } from './AutomaticUpdates.tsx';
import { Autostart } from './Autostart.tsx';
import { Autostop } from './Autostop.tsx';
import { FutureEvents } from './FutureEvents.tsx';

/** What happens to a workspace by itself, when and why, and how to have it otherwise. */
export function ScheduleTab({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const schedule = useQuery(trpc.workspaces.schedule.queryOptions({ workspace: workspace.id }, { staleTime: 0 }));
  const template = useQuery(trpc.templates.get.queryOptions({ template: workspace.template_id }));
  const { may } = useWorkspaceRights(workspace);
  if (schedule.isError) {
    return <ErrorNotice error={schedule.error} title="The schedule could not be loaded" onRetry={() => void schedule.refetch()} />;
  }
  if (schedule.data === undefined || template.isPending) {
    return (
      <Stack aria-busy="true">
        <Skeleton height={180} radius="md" />
        <Skeleton height={220} radius="md" />
      </Stack>
    );
  }
  return (
    <Stack>
      {schedule.data.problem !== '' && (
        <Alert color="orange" title="The last thing that was to happen did not" role="alert">
          {schedule.data.problem}
        </Alert>
      )}
      <FutureEvents workspace={workspace} schedule={schedule.data} template={template.data} mayChange={may.update} />
      <Autostart
        key={`${workspace.autostart_schedule ?? ''}`}
        workspace={workspace}
        isAllowed={template.data?.allow_user_autostart ?? true}
        allowedDays={template.data?.autostart_requirement.days_of_week}
        mayChange={may.update}
      />
      <Autostop
        key={workspace.ttl_ms}
        workspace={workspace}
        isAllowed={template.data?.allow_user_autostop ?? true}
        templateTtlMs={template.data?.default_ttl_ms ?? 0}
        mayChange={may.update}
      />
      <AutomaticUpdates workspace={workspace} mayChange={may.update} />
    </Stack>
  );
}
