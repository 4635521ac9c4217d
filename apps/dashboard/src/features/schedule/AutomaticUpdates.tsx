import { Alert, Switch } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useMutation, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { Section } from '../account/Section.tsx';
import { useWorkspaceChange } from './use-workspace-change.ts';

/** Whether a workspace moves to its template's active version when it starts. */
export function AutomaticUpdates({ workspace, mayChange }: { workspace: Workspace; mayChange: boolean }): React.JSX.Element {
  const show = useWorkspaceChange(workspace);
  const save = useMutation(
    trpc.workspaces.updateAutomaticUpdates.mutationOptions({
      onSuccess: async (_answer, { automatic_updates: next }) => {
        notifyDone(next === 'always' ? 'It starts on the active version from now on.' : 'It keeps its version until somebody updates it.');
        if (next !== undefined) await show({ automatic_updates: next });
      },
      onError: (error) => notifyFailure('It stays as it was', error),
    }),
  );
  const isForced = workspace.template_require_active_version;
  const resolved = useQuery(
    trpc.workspaces.resolveAutostart.queryOptions(
      { workspace: workspace.id },
      { enabled: workspace.outdated && (isForced || workspace.automatic_updates === 'always') },
    ),
  );
  return (
    <Section title="Update by itself" description={isForced ? 'Its template lets it start on the active version only.' : undefined}>
      <Switch
        label="Start on the template’s active version"
        description="Each start moves it to the version that new workspaces get."
        checked={isForced || workspace.automatic_updates === 'always'}
        disabled={isForced || !mayChange || save.isPending}
        onChange={(event) => save.mutate({ workspace: workspace.id, automatic_updates: event.currentTarget.checked ? 'always' : 'never' })}
      />
      {resolved.data?.parameter_mismatch === true && (
        <Alert color="orange" title="The next start needs you">
          The active version asks for parameters that this workspace has no answer for. Update it by hand on{' '}
          <AnchorLink
            inherit
            underline="always"
            to="/@{$owner}/$name"
            params={{ owner: workspace.owner_name, name: workspace.name }}
            search={{ tab: 'parameters' }}
          >
            its parameters
          </AnchorLink>
          .
        </Alert>
      )}
    </Section>
  );
}
