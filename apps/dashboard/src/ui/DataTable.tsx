import { Box, Table } from '@mantine/core';
import { Pager } from './Pager.tsx';

export interface Column {
  readonly title: string;
  /** Shown on screens from this width on; on all of them unless it is set. */
  readonly from?: 'xs' | 'sm' | 'md';
  /** Pixels; as wide as its content unless it is set. */
  readonly width?: number;
  /** At the right edge: for what can be done with a row. */
  readonly isLast?: boolean;
}

/** The column of a row's menu or buttons. */
export const ACTIONS: Column = { title: 'Actions', width: 60, isLast: true };

interface Props {
  readonly label: string;
  readonly columns: readonly Column[];
  /** Rows of something that is asked for anew: they are still there, but may be wrong. */
  readonly isStale?: boolean;
  readonly children: React.ReactNode;
}

/** A table on a surface of its own. The cells of a row hide on narrow screens as their columns do. */
export function DataTable({ label, columns, isStale = false, children }: Props): React.JSX.Element {
  return (
    <Box className="surface" style={{ overflow: 'hidden', opacity: isStale ? 0.6 : 1 }}>
      <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, from, width, isLast = false }) => (
              <Table.Th key={title} visibleFrom={from} w={width} ta={isLast ? 'right' : undefined}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Box>
  );
}

interface PagedProps<Row> extends Omit<Props, 'children'> {
  readonly rows: readonly Row[];
  readonly pageRows: number;
  /** From 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** What a row is: "user", "users". */
  readonly noun: readonly [one: string, many: string];
  readonly renderRow: (row: Row) => React.ReactNode;
}

/** A table of rows that are all here, a page at a time. */
export function PagedTable<Row>({ rows, pageRows, page, onPage, noun, renderRow, ...table }: PagedProps<Row>): React.JSX.Element {
  return (
    <>
      <DataTable {...table}>{rows.slice((page - 1) * pageRows, page * pageRows).map(renderRow)}</DataTable>
      <Pager count={rows.length} pageRows={pageRows} page={page} noun={noun} onPage={onPage} />
    </>
  );
}
