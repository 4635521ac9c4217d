import { counted } from '@berth/core';
import { Group, Pagination, Text } from '@mantine/core';

interface Props {
  /** Of all pages together. */
  readonly count: number;
  readonly pageRows: number;
  /** From 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** What is counted: "1 user", "12 users". */
  readonly noun: readonly [one: string, many: string];
}

/** How many there are, and the way to the other pages. */
export function Pager({ count, pageRows, page, onPage, noun: [one, many] }: Props): React.JSX.Element {
  const pages = Math.ceil(count / pageRows);
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {counted(count, one, many)}
      </Text>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          size="sm"
          onChange={onPage}
          getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
          getControlProps={(control) => ({ 'aria-label': `${control[0]?.toUpperCase() ?? ''}${control.slice(1)} page` })}
        />
      )}
    </Group>
  );
}
