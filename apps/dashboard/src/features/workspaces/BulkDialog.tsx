import { Badge, Box, Button, Code, Group, Modal, ScrollArea, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import type { BulkResult, Workspace } from '@berth/api/contract/workspaces';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import type { BulkAction } from './bulk-words.ts';
import { BULK_WORDS, countWords, resultWords } from './bulk-words.ts';
import { refreshLists } from './workspace-cache.ts';

interface Props {
  readonly action: BulkAction;
  readonly workspaces: readonly Workspace[];
  readonly onClose: () => void;
  /** When something was done and the answers were read. */
  readonly onDone: () => void;
}

/** Shows what would come of each workspace, does it once that is confirmed, and shows what came of each. */
export function BulkDialog({ action, workspaces: chosen, onClose, onDone }: Props): React.JSX.Element {
  const ids = chosen.map(({ id }) => id);
  const preview = useQuery({
    queryKey: ['bulk preview', action, ids],
    queryFn: ({ signal }) => client.workspaces.bulk.mutate({ workspace_ids: ids, action, dry_run: true }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const act = useMutation({
    mutationFn: (workspaceIds: string[]) => client.workspaces.bulk.mutate({ workspace_ids: workspaceIds, action }),
    onSuccess: () => refreshLists(),
  });
  const willDo = preview.data?.results.filter(({ status }) => status === 'ok').map(({ workspace_id: id }) => id) ?? [];
  const words = BULK_WORDS[action];
  const isDone = act.data !== undefined;
  const done = new Map(act.data?.results.map((result) => [result.workspace_id, result]));
  const results = (preview.data?.results ?? []).map((result) => done.get(result.workspace_id) ?? result);
  return (
    <Modal
      opened
      onClose={isDone ? onDone : onClose}
      size="lg"
      title={isDone ? `What came of ${countWords(chosen.length)}` : `${words.verb} ${countWords(chosen.length)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        {preview.isError ? (
          <ErrorNotice error={preview.error} title="What would happen could not be worked out" onRetry={() => void preview.refetch()} />
        ) : preview.data === undefined ? (
          <Skeleton height={Math.min(300, 48 * chosen.length)} aria-busy="true" />
        ) : (
          <Results action={action} chosen={chosen} results={results} isPreview={!isDone} />
        )}
        <Refusal error={act.error} />
        {isDone ? (
          <Group justify="flex-end">
            <Button onClick={onDone}>Done</Button>
          </Group>
        ) : (
          <Confirm
            verb={words.verb}
            count={willDo.length}
            mustType={action === 'delete'}
            isPending={act.isPending}
            onCancel={onClose}
            onConfirm={() => act.mutate(willDo)}
          />
        )}
      </Stack>
    </Modal>
  );
}

interface ResultsProps {
  readonly action: BulkAction;
  readonly chosen: readonly Workspace[];
  readonly results: readonly BulkResult[];
  readonly isPreview: boolean;
}

const LOOKS = { ok: 'green', unchanged: 'gray', refused: 'red' } as const satisfies Record<BulkResult['status'], string>;
const LABELS = { ok: 'Yes', unchanged: 'Nothing to do', refused: 'Not possible' } as const satisfies Record<BulkResult['status'], string>;

function Results({ action, chosen, results, isPreview }: ResultsProps): React.JSX.Element {
  const names = new Map(chosen.map(({ id, owner_name: owner, name }) => [id, `${owner}/${name}`]));
  return (
    <ScrollArea.Autosize
      mah={360}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': isPreview ? 'What will happen' : 'What happened' }}
    >
      <Box className="surface">
        <Table verticalSpacing="xs" horizontalSpacing="sm" aria-label={isPreview ? 'What will happen' : 'What happened'}>
          <Table.Tbody>
            {results.map((result) => (
              <Table.Tr key={result.workspace_id}>
                <Table.Th scope="row" fw={500} className="wrap-anywhere">
                  {names.get(result.workspace_id)}
                </Table.Th>
                <Table.Td>
                  <Group gap={6}>
                    <Badge color={LOOKS[result.status]} miw="max-content">
                      {isPreview || result.status !== 'ok' ? LABELS[result.status] : 'Done'}
                    </Badge>
                    <Text size="sm" className="wrap-anywhere">
                      {resultWords(action, result, isPreview)}
                    </Text>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </ScrollArea.Autosize>
  );
}

interface ConfirmProps {
  readonly verb: string;
  /** How many of them it will be done with. */
  readonly count: number;
  readonly mustType: boolean;
  readonly isPending: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

function Confirm({ verb, count, mustType, isPending, onCancel, onConfirm }: ConfirmProps): React.JSX.Element {
  const [typed, setTyped] = useState('');
  const asked = `delete ${count}`;
  const isSure = !mustType || typed === asked;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0 && isSure) onConfirm();
      }}
    >
      <Stack>
        {mustType && count > 0 && (
          <>
            <Text size="sm">Their files go with them. This cannot be undone.</Text>
            <TextInput
              label={
                <>
                  Type <Code>{asked}</Code> to confirm
                </>
              }
              aria-label={`Type ${asked} to confirm`}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color={mustType ? 'red.8' : undefined} disabled={count === 0 || !isSure} loading={isPending}>
            {verb} {countWords(count)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
