import { Badge, Box, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Facts } from '../../ui/Facts.tsx';
import { Section } from '../account/Section.tsx';
import type { Finding, SectionView } from './health-words.ts';
import { SEVERITY_LOOKS, adviceFor } from './health-words.ts';

const ICONS = {
  ok: <IconCircleCheck size={18} color="var(--mantine-color-teal-text)" aria-hidden />,
  warning: <IconAlertTriangle size={18} color="var(--mantine-color-yellow-text)" aria-hidden />,
  error: <IconCircleX size={18} color="var(--mantine-color-red-text)" aria-hidden />,
} as const;

interface Props {
  readonly section: SectionView;
  /** Absent for who may only look. */
  readonly onToggle?: () => void;
  readonly isPending?: boolean;
}

/** One part of the report: how it is, what was found, and what helps. */
export function HealthSectionCard({ section, onToggle, isPending = false }: Props): React.JSX.Element {
  const { title, meaning, severity, isDismissed, findings, facts } = section;
  const look = SEVERITY_LOOKS[severity];
  return (
    <Section
      title={title}
      description={meaning}
      actions={
        <>
          {isDismissed && <Badge color="gray">Dismissed</Badge>}
          <Badge color={look.color} leftSection={ICONS[severity]} size="lg" variant="light">
            {look.label}
          </Badge>
        </>
      }
    >
      {findings.length > 0 && (
        <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {findings.map((finding) => (
            <FindingLine key={`${finding.about}:${finding.code}:${finding.message}`} finding={finding} />
          ))}
        </Stack>
      )}
      {facts.length > 0 && <Facts facts={facts} />}
      {onToggle !== undefined && (severity !== 'ok' || isDismissed) && (
        <Group>
          <Button variant="default" size="xs" onClick={onToggle} loading={isPending}>
            {isDismissed ? 'Tell me of it again' : 'Dismiss'}
          </Button>
          <Text size="xs" c="dimmed" flex={1} miw={180}>
            {isDismissed
              ? 'Nobody is told of this section, here or by the API.'
              : 'Nobody is told of this section any more, until somebody asks for it again.'}
          </Text>
        </Group>
      )}
    </Section>
  );
}

function FindingLine({ finding: { code, message, isError, about } }: { finding: Finding }): React.JSX.Element {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Box mt={2}>{ICONS[isError ? 'error' : 'warning']}</Box>
      <Box miw={0}>
        <Text size="sm" className="wrap-anywhere">
          {about !== '' && <strong>{about}: </strong>}
          {message} <Code>{code}</Code>
        </Text>
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          {adviceFor(code)}
        </Text>
      </Box>
    </Group>
  );
}
