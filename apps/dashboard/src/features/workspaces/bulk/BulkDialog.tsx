import type { Workspace } from '@berth/api/contract/workspaces';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { idsIn, phaseOf, summary } from './bulk-progress.ts';
import type { BulkAction } from './bulk-words.ts';
import { BULK_WORDS, countWords } from './bulk-words.ts';
import { BulkItems } from './BulkItems.tsx';
import { ConfirmBulk } from './ConfirmBulk.tsx';
import { useBulkRun } from './use-bulk-run.ts';

interface Props {
  readonly action: BulkAction;
  readonly workspaces: readonly Workspace[];
  readonly onClose: () => void;
  /** When something was done and the answers were read. */
  readonly onDone: () => void;
}

/** Shows what would come of each workspace, does it once that is confirmed, and shows what becomes of each, until its build has ended. */
export function BulkDialog({ action, workspaces: chosen, onClose, onDone }: Props): React.JSX.Element {
  const run = useBulkRun(action, chosen);
  const { items } = run;
  const willDo = idsIn(items, 'will');
  const failed = idsIn(items, 'failed');
  const isConfirmed = items.some(({ isAsked }) => isAsked);
  const { verb } = BULK_WORDS[action];
  return (
    <Modal
      opened
      onClose={isConfirmed ? onDone : onClose}
      size="lg"
      title={isConfirmed ? `What came of ${countWords(chosen.length)}` : `${verb} ${countWords(chosen.length)}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        {run.previewError !== null ? (
          <ErrorNotice error={run.previewError} title="What would happen could not be worked out" onRetry={run.previewAgain} />
        ) : (
          <>
            <Text size="sm" fw={600} role="status" className="tabular">
              {summary(items, action)}
            </Text>
            <BulkItems
              action={action}
              items={isConfirmed ? items.filter((item) => phaseOf(item) !== 'checking') : items}
              isPreview={!isConfirmed}
            />
          </>
        )}
        {isConfirmed ? (
          <Group justify="flex-end">
            {failed.length > 0 && !run.isActing && (
              <Button variant="default" onClick={() => void run.act(failed)}>
                Try again with {countWords(failed.length)}
              </Button>
            )}
            <Button onClick={onDone}>{run.isActing ? 'Close' : 'Done'}</Button>
          </Group>
        ) : (
          <ConfirmBulk
            verb={verb}
            count={willDo.length}
            mustType={action === 'delete'}
            isReady={run.isPreviewed}
            onCancel={onClose}
            onConfirm={() => void run.act(willDo)}
          />
        )}
      </Stack>
    </Modal>
  );
}
