import { Anchor, Table, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useElementSize } from '@mantine/hooks';
import classes from './BarChart.module.css';
import { scaleTop } from './insights-words.ts';

export interface Bar {
  readonly key: string;
  /** Below the bar: "14 Mar". */
  readonly label: string;
  /** In the table and on hover: "Sat 14 March 2026". */
  readonly title: string;
  readonly value: number;
}

interface Props {
  /** What is shown: "Active developers". */
  readonly label: string;
  /** Above the labels in the table: "Day". */
  readonly unit: string;
  readonly bars: readonly Bar[];
}

const HEIGHT = 200;
const LEFT = 34;
const BOTTOM = 22;
const TOP = 8;
const LABEL_WIDTH = 56;
const STEPS = 4;

/** Numbers over time as bars, and the same as a table for who reads rather than looks. */
export function BarChart({ label, unit, bars }: Props): React.JSX.Element {
  const { ref, width } = useElementSize();
  const [isTable, { toggle }] = useDisclosure(false);
  const top = scaleTop(Math.max(0, ...bars.map(({ value }) => value)));
  const room = Math.max(1, width - LEFT);
  const column = room / Math.max(1, bars.length);
  const plot = HEIGHT - TOP - BOTTOM;
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / column));
  const table = (
    <Table aria-label={`${label}, as a table`} verticalSpacing={4} horizontalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{unit}</Table.Th>
          <Table.Th ta="right">{label}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {bars.map((bar) => (
          <Table.Tr key={bar.key}>
            <Table.Td>{bar.title}</Table.Td>
            <Table.Td ta="right" className="tabular">
              {bar.value.toLocaleString('en')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
  return (
    <div>
      <div ref={ref} style={{ minHeight: isTable ? undefined : HEIGHT }}>
        {!isTable && width > 0 && (
          <svg className={classes['chart']} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden>
            {Array.from({ length: STEPS + 1 }, (_, step) => {
              const y = TOP + plot - (plot * step) / STEPS;
              return (
                <g key={step}>
                  <line className={classes['line']} x1={LEFT} x2={width} y1={y} y2={y} />
                  <text className={classes['words']} x={LEFT - 8} y={y + 4} textAnchor="end">
                    {((top * step) / STEPS).toLocaleString('en')}
                  </text>
                </g>
              );
            })}
            {bars.map((bar, index) => {
              const height = (plot * bar.value) / top;
              const gap = Math.min(6, column * 0.25);
              return (
                <g key={bar.key} className={classes['column']}>
                  <title>{`${bar.title}: ${bar.value.toLocaleString('en')}`}</title>
                  <rect className={classes['hit']} x={LEFT + index * column} y={TOP} width={column} height={plot} />
                  <rect
                    className={classes['bar']}
                    x={LEFT + index * column + gap / 2}
                    y={TOP + plot - height}
                    width={Math.max(1, Math.min(48, column - gap))}
                    height={height}
                    rx={Math.min(3, height)}
                  />
                  {index % every === 0 && (
                    <text className={classes['words']} x={LEFT + index * column + gap / 2} y={HEIGHT - 6}>
                      {bar.label}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
        {isTable ? table : <VisuallyHidden>{table}</VisuallyHidden>}
      </div>
      <Anchor component="button" type="button" size="xs" mt={6} onClick={toggle}>
        {isTable ? 'Show as a chart' : 'Show as a table'}
      </Anchor>
    </div>
  );
}
