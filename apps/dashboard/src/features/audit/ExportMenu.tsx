import { counted } from '@berth/core';
import type { AuditExportFormat } from '@berth/api/contract/audit';
import { Button, Group, Menu, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { downloadFile } from '../../api/download-file.ts';
import { saveBlob } from '../../ui/download.ts';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import { countEntries } from './entries-text.ts';

const FORMATS = [
  { format: 'ndjson', label: 'NDJSON', hint: 'One line of JSON for each entry' },
  { format: 'csv', label: 'CSV', hint: 'For spreadsheets, safe from formulas' },
] as const satisfies readonly { format: AuditExportFormat; label: string; hint: string }[];

interface Running {
  readonly label: string;
  readonly rows: number;
  readonly total: number;
}

/** Saves what the search finds, all of it, as a file. */
export function ExportMenu({ q, count }: { q: string; count: number }): React.JSX.Element {
  const [running, setRunning] = useState<Running>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async (format: AuditExportFormat, label: string): Promise<void> => {
    const controller = new AbortController();
    abort.current = controller;
    let rows = format === 'csv' ? -1 : 0;
    setRunning({ label, rows: 0, total: count });
    try {
      const { name, blob } = await downloadFile(`/api/v2/audit/export?${new URLSearchParams({ format, ...(q === '' ? {} : { q }) })}`, {
        signal: controller.signal,
        onPart: (part, total) => {
          rows += countEntries(part, format);
          setRunning({ label, rows: Math.max(rows, 0), total: total ?? count });
        },
      });
      saveBlob(name, blob);
      notifyDone(`${name} is saved.`);
    } catch (error) {
      if (!controller.signal.aborted) notifyFailure('The export broke off', error);
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} />} disabled={running !== undefined}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {counted(count, 'entry', 'entries')}
            {q === '' ? '' : ' that the search finds'}
          </Menu.Label>
          {FORMATS.map(({ format, label, hint }) => (
            <Menu.Item key={format} onClick={() => void start(format, label)}>
              <Text size="sm">{label}</Text>
              <Text size="xs" c="dimmed">
                {hint}
              </Text>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Text size="xs" c="dimmed" px="sm" pb={6}>
            The log records who exported what.
          </Text>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={running !== undefined}
        onClose={() => abort.current?.abort()}
        title={`Export as ${running?.label ?? ''}`}
        withCloseButton={false}
      >
        <Stack gap="sm">
          <Progress
            value={running === undefined || running.total === 0 ? 0 : (100 * running.rows) / running.total}
            aria-label="Progress of the export"
          />
          <Group justify="space-between">
            <Text size="sm" className="tabular" role="status">
              {(running?.rows ?? 0).toLocaleString('en')} of {counted(running?.total ?? 0, 'entry', 'entries')}
            </Text>
            <Button variant="default" size="xs" onClick={() => abort.current?.abort()}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
