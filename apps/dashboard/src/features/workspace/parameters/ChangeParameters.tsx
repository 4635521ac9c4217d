import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import type { TemplateVersionParameter } from '@berth/api/contract/template-versions';
import type { Workspace } from '@berth/api/contract/workspaces';
import type { ParameterValue } from '@berth/domain';
import { isBuildActive } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { formErrors, problemOf } from '../../../api/errors.ts';
import { trpc } from '../../../api/trpc.ts';
import { UnsavedGuard } from '../../../ui/LeaveGuard.tsx';
import { Refusal } from '../../../ui/Refusal.tsx';
import { initialDraft, parametersFromWire, viewForm } from '../../create-workspace/parameter-form.ts';
import { ParameterFields } from '../../create-workspace/ParameterFields.tsx';
import { storeWorkspace } from '../../workspaces/workspace-cache.ts';

interface Props {
  readonly workspace: Workspace;
  /** Of the version that it is on, */
  readonly current: readonly TemplateVersionParameter[];
  /** and of the one that new workspaces get. */
  readonly active: readonly TemplateVersionParameter[];
  readonly values: readonly ParameterValue[];
}

/** Other answers for the next start, checked as they are typed by the rules of the server; with an update where there is one. */
export function ChangeParameters({ workspace, current, active, values }: Props): React.JSX.Element {
  const build = workspace.latest_build;
  const navigate = useNavigate();
  const [isUpdating, setUpdating] = useState(workspace.outdated && workspace.template_require_active_version);
  const definitions = useMemo(() => parametersFromWire(isUpdating ? active : current), [isUpdating, active, current]);
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({});
  const [wasSubmitted, setSubmitted] = useState(false);
  const view = viewForm(definitions, { ...initialDraft(definitions, values), ...changed }, values);
  const names = definitions.map(({ name }) => name);
  const start = useMutation(
    trpc.builds.create.mutationOptions({
      onSuccess: async (next) => {
        storeWorkspace({ ...workspace, latest_build: next });
        await navigate({
          to: '/@{$owner}/$name',
          params: { owner: workspace.owner_name, name: workspace.name },
          ignoreBlocker: true,
        });
      },
    }),
  );
  const refused = start.isError ? formErrors(problemOf(start.error), names).errors : undefined;
  const isBusy = isBuildActive(build.status);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (view.values === null) return;
        start.mutate({
          workspace: workspace.id,
          transition: 'start',
          rich_parameter_values: [...view.values],
          ...(isUpdating ? { template_version_id: workspace.template_active_version_id } : {}),
        });
      }}
    >
      <Stack maw={640} gap="lg">
        <UnsavedGuard isDirty={Object.keys(changed).length > 0} />
        <Refusal error={start.error} fields={names} />
        {workspace.outdated && (
          <Switch
            label="Update to the active version"
            description={`It is on ${build.template_version_name} now.`}
            checked={isUpdating}
            disabled={workspace.template_require_active_version}
            onChange={(event) => setUpdating(event.currentTarget.checked)}
          />
        )}
        {view.fields.length === 0 && (
          <Text size="sm" c="dimmed">
            {definitions.length === 0 ? 'It asks for none.' : 'None of them can be changed any more.'}
          </Text>
        )}
        <ParameterFields
          fields={view.fields}
          isShown={(parameter) => wasSubmitted || Object.hasOwn(changed, parameter)}
          refused={refused}
          onChange={(parameter, value) => {
            setChanged((known) => ({ ...known, [parameter]: value }));
            start.reset();
          }}
        />
        {(view.fields.length > 0 || workspace.outdated) && (
          <Group>
            <Button
              type="submit"
              loading={start.isPending}
              disabled={isBusy || workspace.dormant_at !== null || (Object.keys(changed).length === 0 && !isUpdating)}
            >
              {build.status === 'running' ? 'Save and restart' : 'Save and start'}
            </Button>
            {isBusy && (
              <Text size="sm" c="dimmed">
                A build is under way.
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </form>
  );
}
