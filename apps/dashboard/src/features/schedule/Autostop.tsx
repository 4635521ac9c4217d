import { Button, Group, Stack, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { ttlProblem } from '@berth/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { DurationInput } from '../../ui/DurationInput.tsx';
import { spanText } from '../../ui/durations.ts';
import { notifyDone } from '../../ui/notify.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { Section } from '../account/Section.tsx';
import { useWorkspaceChange } from './use-workspace-change.ts';

interface Props {
  readonly workspace: Workspace;
  /** Whether the template lets people choose. */
  readonly isAllowed: boolean;
  /** What the template says; 0 for nothing. */
  readonly templateTtlMs: number;
  readonly mayChange: boolean;
}

/** After how long a workspace stops by itself. */
export function Autostop({ workspace, isAllowed, templateTtlMs, mayChange }: Props): React.JSX.Element {
  const known = workspace.ttl_ms ?? 0;
  const [ttl, setTtl] = useState(known);
  const show = useWorkspaceChange(workspace);
  const save = useMutation(
    trpc.workspaces.updateTtl.mutationOptions({
      onSuccess: async (_answer, { ttl_ms: next }) => {
        notifyDone(workspace.latest_build.status === 'running' ? 'Saved. It counts from the next start on.' : 'Saved.');
        await show({ ttl_ms: next ?? null });
      },
    }),
  );
  const problem = ttlProblem(ttl);
  return (
    <Section title="Stop by itself" description="So that nothing runs for nobody. Counts from each start.">
      {!isAllowed ? (
        <Text size="sm" c="dimmed">
          {templateTtlMs === 0
            ? 'Its template decides: it runs until somebody stops it.'
            : `Its template decides: it runs for ${spanText(templateTtlMs)} after a start.`}
        </Text>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (problem === null) save.mutate({ workspace: workspace.id, ttl_ms: ttl === 0 ? null : ttl });
          }}
        >
          <Stack maw={560}>
            <UnsavedGuard isDirty={ttl !== known} />
            <Refusal error={save.error} />
            <DurationInput
              label="Stop after"
              description="0: it runs until somebody stops it."
              value={ttl}
              onChange={setTtl}
              error={problem ?? undefined}
              isDisabled={!mayChange}
            />
            {mayChange && (
              <Group>
                <Button type="submit" disabled={ttl === known || problem !== null} loading={save.isPending}>
                  Save the time
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      )}
    </Section>
  );
}
