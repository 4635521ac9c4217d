import { Table, Text } from '@mantine/core';
import classes from './Changes.module.css';
import type { AuditLog } from './audit-words.ts';
import { valueText } from './audit-words.ts';
import { diffLines } from './line-diff.ts';

const SECRET = '•••';
/** Longer texts, and those of several lines, are compared line by line. */
const SHORT_MAX = 120;

/** What an entry changed, before and after side by side. Secrets are never shown. */
export function Changes({ diff }: { diff: AuditLog['diff'] }): React.JSX.Element {
  return (
    <Table aria-label="Changes" verticalSpacing={6} fz="xs" layout="fixed" className={classes['changes']}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="26%">Field</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(diff).map(([field, { old, new: next, secret }]) => (
          <Table.Tr key={field}>
            <Table.Th scope="row" fw={500} className="wrap-anywhere">
              {field}
            </Table.Th>
            {secret ? (
              <>
                <Value text={SECRET} side="before" />
                <Value text={SECRET} side="after" />
              </>
            ) : (
              <Values before={old} after={next} />
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Values({ before, after }: { before: unknown; after: unknown }): React.JSX.Element {
  const [one, other] = [valueText(before), valueText(after)];
  const isLong = [one, other].some((text) => text.length > SHORT_MAX || text.includes('\n'));
  if (!isLong || one === 'empty' || other === 'empty') {
    return (
      <>
        <Value text={one} side="before" />
        <Value text={other} side="after" />
      </>
    );
  }
  return (
    <Table.Td colSpan={2} p={0}>
      <div className={classes['lines']}>
        {diffLines(one, other).map((line, at) =>
          line.kind === 'skipped' ? (
            <Text key={`${at}`} size="xs" c="dimmed" className={classes['skipped']}>
              {line.before} lines are the same
            </Text>
          ) : (
            <div key={`${at}`} className={classes['pair']} data-kind={line.kind}>
              <del className={classes['line']}>{line.before}</del>
              <ins className={classes['line']}>{line.after}</ins>
            </div>
          ),
        )}
      </div>
    </Table.Td>
  );
}

function Value({ text, side }: { text: string; side: 'before' | 'after' }): React.JSX.Element {
  const isEmpty = text === 'empty';
  return (
    <Table.Td
      className={`wrap-anywhere ${classes['value'] ?? ''}`}
      c={isEmpty ? 'dimmed' : `var(--mantine-color-${side === 'before' ? 'red' : 'green'}-light-color)`}
      fs={isEmpty ? 'italic' : undefined}
    >
      {text}
    </Table.Td>
  );
}
