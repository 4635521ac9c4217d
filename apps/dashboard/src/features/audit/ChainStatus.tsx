import { Alert, Button, Code, Group, Popover, Skeleton, Stack, Text } from '@mantine/core';
import { IconClock, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { CopyValue } from '../../ui/CopyValue.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { When } from '../../ui/When.tsx';
import type { ChainFacts } from './chain-words.ts';
import { chainState } from './chain-words.ts';
import { useNow } from '../../ui/clock.ts';

const REFRESH_MS = 30_000;
const RECENT_ROWS = 1_000;

/** How well the log is protected from being changed afterwards: at a glance, and what it means and how to prove it on request. */
export function ChainStatus(): React.JSX.Element | null {
  const [isOpen, setIsOpen] = useState(false);
  const status = useQuery(trpc.audit.chainStatus.queryOptions(undefined, { refetchInterval: REFRESH_MS, retry: false }));
  const now = useNow();
  // For who may read no audit log there is nothing to know.
  if (status.isError && status.data === undefined) return null;
  const state = status.data === undefined ? null : chainState(status.data, now);
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={400} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<StateIcon kind={state?.kind ?? 'waiting'} />}
          loading={state === null}
          aria-expanded={isOpen}
          onClick={() => setIsOpen((before) => !before)}
        >
          {state?.label ?? 'Seal'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)">
        {status.data === undefined || state === null ? (
          <Skeleton height={160} />
        ) : (
          <ChainPanel status={status.data} sentence={state.sentence} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function StateIcon({ kind }: { kind: ReturnType<typeof chainState>['kind'] }): React.JSX.Element {
  switch (kind) {
    case 'sealed':
      return <IconShieldCheck size={16} color="var(--mantine-color-teal-6)" />;
    case 'waiting':
      return <IconClock size={16} />;
    case 'behind':
      return <IconClock size={16} color="var(--mantine-color-yellow-6)" />;
    case 'broken':
      return <IconShieldX size={16} color="var(--mantine-color-red-6)" />;
  }
}

function ChainPanel({ status, sentence }: { status: ChainFacts; sentence: string }): React.JSX.Element {
  const { last_verification: verified } = status;
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {sentence}
      </Text>
      <Text size="xs" c="dimmed">
        Each entry is sealed into a chain: its hash covers the entry and the hash before it. Whoever changes or removes a sealed entry
        breaks the chain from there on.
      </Text>
      <Facts
        facts={[
          ['Sealed entries', status.sealed.toLocaleString('en')],
          ['Newest sealed', <When key="newest" at={status.last_sealed_time} never="none" />],
          ['Waiting', status.waiting.toLocaleString('en')],
          ['Verified as a whole', <When key="verified" at={verified?.at ?? null} />],
        ]}
      />
      {verified?.ok === false && (
        <Alert color="red" p="xs" title="The last verification failed">
          {verified.explanation}
        </Alert>
      )}
      {status.head !== '' && (
        <div>
          <Group gap={4} wrap="nowrap">
            <Text size="xs" c="dimmed">
              Head: keep it elsewhere, and a rewritten chain is found out, too.
            </Text>
            <CopyValue value={status.head} label="Copy the head" />
          </Group>
          <Code block fz={11} className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
            {status.head}
          </Code>
        </div>
      )}
      <RecentCheck />
      <Text size="xs" c="dimmed">
        This is what the server says. To rely on nobody, verify the whole chain in the database itself, where the server’s settings are:
      </Text>
      <CommandLine command="berth audit verify" label="Copy the command" />
    </Stack>
  );
}

/** Has the newest part verified on the spot. */
function RecentCheck(): React.JSX.Element {
  const check = useQuery(trpc.audit.verifyRecent.queryOptions({ rows: String(RECENT_ROWS) }, { enabled: false, gcTime: 0 }));
  const verdict = check.data;
  return (
    <Stack gap={6} align="flex-start">
      <Button size="xs" variant="default" loading={check.isFetching} onClick={() => void check.refetch()}>
        Verify the newest {RECENT_ROWS.toLocaleString('en')} entries
      </Button>
      <div role="status">
        {check.isError ? (
          <ErrorNotice error={check.error} title="They could not be verified" />
        ) : verdict === undefined ? null : verdict.ok ? (
          <Text size="xs" c="var(--mantine-color-green-light-color)">
            {verdict.rows === 0
              ? 'Nothing is sealed yet.'
              : `The newest ${verdict.rows.toLocaleString('en')} sealed entries are what was written.`}
          </Text>
        ) : (
          <Alert color="red" p="xs" title="The chain is broken">
            {verdict.problem?.explanation}
          </Alert>
        )}
      </div>
    </Stack>
  );
}
